/* report.h: a model, its kernels and what limits them as one page of HTML that needs nothing else:
 * no network, no script, light and dark. `fusec report` gathers what stands on it. */
#ifndef FUSEC_REPORT_PAGE_H
#define FUSEC_REPORT_PAGE_H

#include "cache/cache.h"
#include "pipeline.h"
#include "sched/report/lifetimes.h"

/* Trials of one kernel on one device. */
typedef struct ReportTrials {
    int kernel;
    const char *device; /* "AMD EPYC, 2 threads" */
    const char *choice; /* NULL: none yet */
    CacheTrials trials;
} ReportTrials;

typedef struct ReportFunction {
    const Function *f;
    const Rooflines *rooflines;
    const Lifetimes *lifetimes, *unfused;
    const double
        *measured; /* by kernel, and of the whole call after these: seconds; 0: not measured */
    const char *drawing; /* of the plan, SVG; NULL: dot is not installed */
    Vec(const char *) advice;
    Vec(ReportTrials) trials;
} ReportFunction;

typedef struct Report {
    const Compilation *c;
    const char *command; /* that makes the page again */
    const char *dims;    /* "N = 64, D = 512", those that are given */
    const char *device;  /* where times were measured; NULL: nowhere */
    Vec(ReportFunction) functions;
    Arena *arena;
    Text *out;
} Report;

void report_print(Report *r); /* page.c */

/* ---- html.c --------------------------------------------------------------------------------- */

void html_text(Text *out, const char *text); /* & < > " ' are escaped */
void html_bytes(Text *out, const char *bytes, size_t size);
enum { HUES = 8 }; /* colours of kernels: classes h0 .. */
extern const char html_style[];
/* "12.3 us", for a cell; "" for 0. */
const char *html_time(Arena *arena, double seconds);

/* ---- one file for each kind of section ------------------------------------------------------- */

void put_model(const Report *r);                 /* model.c: its text, each line with its kernels */
void put_source(const Report *r);                /* source.c: what is emitted, coloured */
void put_kernels(const Report *r, int function); /* kernels.c: a table, and advice */
void put_each_kernel(const Report *r, int function);
void put_apart(const Report *r, int function);     /* kernels.c: what was not fused, and why */
void put_trials(const Report *r, int function);    /* kernels.c */
void put_rooflines(const Report *r, int function); /* roofline_draw.c */
/* Seconds that a kernel is expected to take, with its launch. */
double expected_seconds(const ReportFunction *f, int kernel);

#endif
