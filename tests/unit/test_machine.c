/* test_machine.c: machines of devices that are larger or smaller than the usual chip of their
 * architecture, and what is planned for them. */
#include "pipeline.h"
#include "roofline/roofline.h"
#include "tune/tune.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static Arena *arena;

static int setup(void **state) {
    (void)state;
    arena = arena_new(0);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_free(arena);
    return 0;
}

enum { SHARED_BLOCK = 227 << 10, SHARED_PROCESSOR = 228 << 10, H100_SXM = 132, H100_PCIE = 114 };

static const Machine *sized(const char *arch, int processors, int l2) {
    const MachineSize size = {processors, l2, SHARED_BLOCK, SHARED_PROCESSOR};
    return machine_of_size(arena, machine_gpu(arch), &size);
}

/* ---- machines ------------------------------------------------------------------------------- */

static void usual_sizes_give_the_usual_chip(void **state) {
    (void)state;
    const Machine *usual = machine_gpu("sm_90a");
    assert_ptr_equal(sized("sm_90a", H100_SXM, 50), usual);
    assert_ptr_equal(sized("sm_90a", H100_SXM, 60), usual); /* an H200 */
    assert_ptr_equal(machine_of_size(arena, usual, &(MachineSize){0}), usual);
    assert_ptr_equal(machine_of_size(arena, machine_cpu(), &(MachineSize){8, 1, 0, 0}),
                     machine_cpu());
}

/* Of the table's chip, and of one whose rates follow from what it does per clock. */
static void rates_go_by_multiprocessors(void **state) {
    static const struct {
        const char *arch;
        int processors, l2;
    } all[] = {{"sm_90a", H100_PCIE, 50}, {"sm_90a", 16, 6}, {"sm_89", 24, 24}, {"sm_80", 56, 24}};
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const Machine *usual = machine_gpu(all[i].arch);
        const Machine *m = sized(all[i].arch, all[i].processors, all[i].l2);
        const double share = (double)all[i].processors / usual->processors;
        assert_int_equal(m->processors, all[i].processors);
        assert_int_equal(m->l2_size, all[i].l2);
        assert_float_equal(m->bandwidth, share * usual->bandwidth, 1);
        for (int u = 0; u < UNIT_COUNT; u++)
            assert_float_equal(machine_rate(m, u) / machine_rate(usual, u), share, 1e-6);
        assert_true(m->clock == usual->clock && m->mma == usual->mma && m->start == usual->start);
    }
    assert_string_equal(sized("sm_90a", H100_PCIE, 50)->name, "H100 with 114 multiprocessors");
}

static void sizes_are_read_as_they_are_written(void **state) {
    static const char *const wrong[] = {
        "",
        "114",
        "114 multiprocessors, 50 MiB of L2, 232448 and 233472 bytes of shared memory.",
        "0 multiprocessors, 50 MiB of L2, 232448 and 233472 bytes of shared memory",
        "99999999999 multiprocessors, 50 MiB of L2, 232448 and 233472 bytes of shared memory",
        "114 multiprocessors, 50 MiB of L2, 16384 and 233472 bytes of shared memory",
        "114 multiprocessors, 50 MiB of L2, 232448 and 102400 bytes of shared memory"};
    (void)state;
    const Machine *m = sized("sm_90a", H100_PCIE, 40);
    const char *text = machine_size_print(arena, m);
    MachineSize size;
    assert_string_equal(
        text, "114 multiprocessors, 40 MiB of L2, 232448 and 233472 bytes of shared memory");
    assert_true(machine_size_parse(text, &size));
    assert_string_equal(
        machine_size_print(arena, machine_of_size(arena, machine_gpu("sm_90a"), &size)), text);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(machine_size_parse(wrong[i], &size));
}

/* Rooflines of a CPU are by what was measured there. */
static void measured_rates_replace_those_of_a_core(void **state) {
    (void)state;
    const double copied = 8e10, operations = 2e12;
    const Machine *core = machine_cpu();
    const Machine *m = machine_as_measured(arena, core, copied, operations);
    assert_float_equal(machine_bandwidth(m), copied, 1);
    assert_float_equal(machine_rate(m, UNIT_F32), operations, 1e3);
    assert_float_equal(machine_rate(m, UNIT_F64) / machine_rate(core, UNIT_F64),
                       operations / machine_rate(core, UNIT_F32), 1e-6);
    assert_float_equal(machine_bandwidth(machine_as_measured(arena, core, 0, 0)),
                       machine_bandwidth(core), 1);
}

/* ---- plans ---------------------------------------------------------------------------------- */

static const char product[] =
    "fn product(a: bf16[512, 8192], b: bf16[8192, 512]) -> (c: bf16[512, 512]) { c = a @ b; }";

/* The text of the product as it is compiled in the process. */
static const char *compiled_text(CompileOptions o, Diag *diag, const KeyFields **about) {
    const uint32_t file = diag_source(diag, "f.fx", product, strlen(product));
    const Compilation *c = compile(arena, diag, file, &o);
    assert_int_equal(diag_status(diag), STATUS_OK);
    if (about) *about = &c->programs[0].about;
    return text_get(&c->source);
}

static CompileOptions options_of(int processors) {
    const Device device = {.kind = DEVICE_CUDA,
                           .name = "a GPU",
                           .arch = "sm_90a",
                           .cache = (size_t)50 << 20,
                           .processors = processors,
                           .shared_block = SHARED_BLOCK,
                           .shared_processor = SHARED_PROCESSOR};
    CompileOptions o = compile_options_default();
    compile_for_device(&o, &device);
    return o;
}

static void plans_are_for_the_device(void **state) {
    (void)state;
    const KeyFields *about, *other_about;
    CompileOptions offline = options_of(H100_SXM);
    offline.size = (MachineSize){0};
    const char *usual = compiled_text(options_of(H100_SXM), diag_new(arena, 1), &about);
    const char *other = compiled_text(options_of(H100_PCIE), diag_new(arena, 1), &other_about);
    assert_string_equal(usual, compiled_text(offline, diag_new(arena, 1), NULL));
    assert_string_not_equal(usual, other);
    assert_int_equal(other_about->count, about->count + 1); /* the size is told */
}

/* ---- decisions ------------------------------------------------------------------------------ */

static const char lock_text[] = "fusec-tune-lock 1\nfunction product\ntarget cuda sm_90a\n"
                                "numeric ieee\n";

/* The product with decisions that were made on a device of so many multiprocessors, compiled for
 * one of `here`. */
static const char *decided(int there, int here, Diag *diag) {
    Lock lock;
    const char *size = machine_size_print(arena, sized("sm_90a", there, 50));
    const char *text =
        arena_printf(arena, there == H100_SXM ? "%s" : "%ssize %s\n", lock_text, size);
    CompileOptions o = options_of(here);
    assert_true(lock_read(diag, diag_source(diag, "f.lock", text, strlen(text)), &lock));
    assert_true(lock_apply(diag, &lock, &o));
    return compiled_text(o, diag, NULL);
}

static void decisions_keep_the_plan_they_were_made_for(void **state) {
    static const int sizes[] = {H100_SXM, H100_PCIE};
    (void)state;
    for (int there = 0; there < 2; there++)
        for (int here = 0; here < 2; here++) {
            Diag *diag = diag_new(arena, 1);
            const char *text = decided(sizes[there], sizes[here], diag);
            assert_string_equal(text,
                                compiled_text(options_of(sizes[there]), diag_new(arena, 1), NULL));
            assert_int_equal(diag->messages.count, there != here); /* a remark */
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_sizes_give_the_usual_chip),
        cmocka_unit_test(rates_go_by_multiprocessors),
        cmocka_unit_test(sizes_are_read_as_they_are_written),
        cmocka_unit_test(measured_rates_replace_those_of_a_core),
        cmocka_unit_test(plans_are_for_the_device),
        cmocka_unit_test(decisions_keep_the_plan_they_were_made_for)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
