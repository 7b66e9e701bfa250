"""What scripts/gpu-suite times: a model, its sizes, and the peer that does the same work."""
import pathlib
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Workload:
    name: str
    model: str  # path from the root
    large: dict  # dims for a GPU
    small: dict  # dims for a CPU that stands in
    peer: str  # function of torch_peers.py
    gemm: tuple = ()  # (m, n, k, type): the product that cuBLAS does
    tiles: tuple = ()  # as of --tile: pinned, timed beside the tile that is chosen

    @property
    def path(self):
        return ROOT / self.model

    def dims(self, small):
        return self.small if small else self.large


def sized(m, n, k):
    return {"M": m, "N": n, "K": k}


def square(n):
    return sized(n, n, n)


# Tiles that were chosen before those that are now.
KEPT_BY_512 = ("row_threads=512,threads=512,keep=registers",)
ALONE = ("cluster=1",)


def unroll_4(cluster):
    return (f"cluster={cluster},threads=128,row_threads=128,keep=shared,unroll=4",)



# Scores, D and S; 16 heads, B S = 8192 or a little less.
SCORES = ("capped", "window", "alibi", "documents")
ATTENTIONS = [(kind, d, s) for kind in ("full", "causal") for d in (64, 96, 128, 192, 256)
              for s in (4096, 8192)] + [(kind, d, 8192) for kind in SCORES for d in (64, 128)] + \
    [("causal", 64, 1024), ("causal", 128, 2000), ("full", 128, 1023), ("causal", 128, 512)]
MODELS = {"full": "bench/gpu/attention_full.fx", "causal": "examples/attention.fx",
          **{kind: f"bench/gpu/attention_{kind}.fx" for kind in SCORES}}


def attention(kind, d, s):
    return Workload(f"{kind} attention bf16, D={d}, S={s}", MODELS[kind],
                    {"B": 8192 // s, "H": 16, "S": s, "D": d}, {"B": 1, "H": 2, "S": 33, "D": 16},
                    f"{kind}_attention")


WORKLOADS = [
    Workload("add f32", "bench/gpu/add.fx", {"N": 1 << 26}, {"N": 1 << 16}, "add"),
    Workload("gelu bf16", "bench/gpu/gelu.fx", {"N": 1 << 28}, {"N": 1 << 16}, "gelu"),
    Workload("softmax f32, rows of 4096", "examples/softmax.fx", {"N": 16384, "D": 4096},
             {"N": 64, "D": 256}, "softmax_f32"),
    Workload("softmax bf16, rows of 1024", "bench/gpu/softmax_bf16.fx", {"N": 131072, "D": 1024},
             {"N": 64, "D": 256}, "softmax_bf16"),
    *(Workload(f"softmax bf16, rows of {d}", "bench/gpu/softmax_bf16.fx", {"N": n, "D": d},
               {"N": 4, "D": 8192}, "softmax_bf16", tiles=tiles)
      for n, d, tiles in ((8192, 8704, KEPT_BY_512), (8192, 12288, KEPT_BY_512),
                          (4096, 32768, unroll_4(2)), (2048, 65536, unroll_4(4)),
                          (1024, 131072, unroll_4(8)), (16384, 4099, ()))),
    Workload("softmax bf16, 4 rows of 131072", "bench/gpu/softmax_bf16.fx", {"N": 4, "D": 131072},
             {"N": 4, "D": 8192}, "softmax_bf16"),
    *(Workload(f"log_softmax bf16, rows of {d}", "bench/gpu/log_softmax.fx", {"N": n, "D": d},
               {"N": 4, "D": 257}, "log_softmax_bf16", tiles=tiles)
      for n, d, tiles in ((32768, 4096, ()), (4096, 32768, unroll_4(2)), (4096, 50257, ()))),
    *(Workload(f"argmax bf16, rows of {d}", "bench/gpu/argmax.fx", {"N": n, "D": d},
               {"N": 4, "D": 257}, "argmax", tiles=tiles)
      for n, d, tiles in ((32768, 2049, ("row_threads=128,threads=128",)),
                          (32768, 5001, ("row_threads=256,threads=256",)), (32768, 4096, ()),
                          (4096, 50257, ()))),
    Workload("rms_norm bf16, rows of 4096", "examples/rms_norm.fx", {"N": 32768, "D": 4096},
             {"N": 64, "D": 256}, "rms_norm"),
    Workload("layer_norm bf16, rows of 4096", "examples/layer_norm.fx", {"N": 32768, "D": 4096},
             {"N": 64, "D": 256}, "layer_norm"),
    *(Workload(f"layer_norm bf16, rows of {d}", "examples/layer_norm.fx", {"N": 32768, "D": d},
               {"N": 64, "D": 257}, "layer_norm", tiles=(f"row_threads={n},threads={n}",))
      for d, n in ((1025, 256), (2053, 256), (4001, 512))),
    *(Workload(f"cross_entropy bf16, {v} classes", "examples/cross_entropy.fx",
               {"N": 4096, "V": v}, {"N": 16, "V": 1009}, "cross_entropy")
      for v in (32000, 50257, 50304)),
    *(Workload(f"small {name}, 64 x 768", model, {"N": 64, "D": 768}, {"N": 4, "D": 64}, peer)
      for name, model, peer in (("softmax f32", "examples/softmax.fx", "softmax_f32"),
                                ("layer_norm bf16", "examples/layer_norm.fx", "layer_norm"))),
    Workload("small gelu bf16, 64 x 768", "bench/gpu/gelu.fx", {"N": 64 * 768}, {"N": 1 << 12},
             "gelu"),
    Workload("column sums f32", "bench/gpu/column_sum.fx", {"M": 65536, "N": 4096},
             {"M": 1000, "N": 100}, "column_sum_f32"),
    Workload("column sums bf16", "bench/gpu/column_sum_bf16.fx", {"M": 65536, "N": 8192},
             {"M": 1000, "N": 100}, "column_sum_bf16"),
    Workload("column sums f32, ragged", "bench/gpu/column_sum.fx", {"M": 65535, "N": 4099},
             {"M": 999, "N": 33}, "column_sum_f32"),
    Workload("column sums bf16, 64 of a prime length", "bench/gpu/column_sum_bf16.fx",
             {"M": 100003, "N": 64}, {"M": 1009, "N": 33}, "column_sum_bf16"),
    Workload("histogram of u8", "bench/gpu/histogram.fx", {"N": 1 << 24}, {"N": 1 << 14}, "histogram"),
    Workload("confusion matrix, 100 classes", "bench/gpu/confusion_matrix.fx", {"N": 1 << 20},
             {"N": 1 << 12}, "confusion_matrix"),
    Workload("segment means f32, 131072 x 64 in 8192", "bench/gpu/segment_mean.fx",
             {"N": 131072, "D": 64, "S": 8192}, {"N": 300, "D": 8, "S": 20}, "segment_mean"),
    *(Workload(f"batch statistics bf16, {n} x {c} of {h} x {h}", "bench/gpu/batch_statistics.fx",
               {"N": n, "C": c, "H": h, "W": h}, {"N": 3, "C": 5, "H": 7, "W": 7},
               "batch_statistics")
      for n, c, h in ((128, 256, 56), (128, 2048, 7))),
    *(Workload(f"group norm bf16, {n} x {c} of {h} x {h}", "bench/gpu/group_norm.fx",
               {"N": n, "C": c, "H": h, "W": h, "G": 32}, {"N": 2, "C": 6, "H": 3, "W": 5, "G": 3},
               "group_norm")
      for n, c, h in ((32, 256, 56), (8, 320, 64))),
    Workload("running sums f32, rows of 4096", "bench/gpu/running_sums.fx", {"N": 16384, "D": 4096},
             {"N": 64, "D": 256}, "running_sums"),
    Workload("running sums f32, rows of 131072", "bench/gpu/running_sums.fx",
             {"N": 1024, "D": 131072}, {"N": 4, "D": 8192}, "running_sums"),
    Workload("running sums f32, ragged", "bench/gpu/running_sums.fx", {"N": 16384, "D": 4099},
             {"N": 64, "D": 257}, "running_sums"),
    Workload("running sums bf16, rows of 8192", "bench/gpu/running_sums_bf16.fx",
             {"N": 16384, "D": 8192}, {"N": 64, "D": 256}, "running_sums_bf16"),
    Workload("running sums f32, down 16384", "bench/gpu/running_sums_down.fx",
             {"B": 1, "N": 16384, "D": 4096}, {"B": 1, "N": 300, "D": 64}, "running_sums_down"),
    Workload("running sums f32, down 1024", "bench/gpu/running_sums_down.fx",
             {"B": 64, "N": 1024, "D": 1024}, {"B": 2, "N": 100, "D": 64}, "running_sums_down"),
    Workload("running sums f32, one row", "bench/gpu/running_sums.fx", {"N": 1, "D": 16777216},
             {"N": 1, "D": 4099}, "running_sums"),
    Workload("running sums f32, down 4 columns", "bench/gpu/running_sums_down.fx",
             {"B": 1, "N": 1048576, "D": 4}, {"B": 1, "N": 3000, "D": 4}, "running_sums_down"),
    Workload("transpose bf16", "bench/gpu/transpose_bf16.fx", {"M": 16384, "N": 16384},
             {"M": 200, "N": 150}, "transpose_bf16"),
    Workload("transpose f32", "bench/gpu/transpose_f32.fx", {"M": 8192, "N": 16384},
             {"M": 200, "N": 150}, "transpose_f32"),
    Workload("transpose f32, ragged", "bench/gpu/transpose_f32.fx", {"M": 8191, "N": 16383},
             {"M": 99, "N": 77}, "transpose_f32"),
    Workload("transpose and add bf16", "bench/gpu/transpose_add.fx",
             {"B": 64, "M": 2048, "N": 1536}, {"B": 2, "M": 50, "N": 70}, "transpose_add"),
    Workload("[B, S, H, D] to [B, H, D, S] bf16", "bench/gpu/permute_heads.fx",
             {"B": 16, "S": 4096, "H": 16, "D": 128}, {"B": 2, "S": 50, "H": 3, "D": 16},
             "permute_heads"),
    Workload("upsampling f32, 512 of 128 x 128", "bench/gpu/upsample.fx",
             {"N": 8, "C": 64, "H": 128, "W": 128}, {"N": 2, "C": 3, "H": 5, "W": 8}, "upsample"),
    Workload("max pooling bf16, 2048 of 112 x 112", "bench/gpu/max_pool.fx",
             {"N": 32, "C": 64, "H": 112, "W": 112}, {"N": 2, "C": 3, "H": 6, "W": 16}, "max_pool"),
    Workload("blur f32, 48 of 1024 x 1024", "bench/gpu/blur.fx",
             {"N": 48, "H": 1024, "W": 1024}, {"N": 2, "H": 9, "W": 12}, "blur"),
    Workload("matmul bf16 4096", "bench/gpu/matmul.fx", square(4096), square(64), "matmul_bf16",
             (4096, 4096, 4096, "bf16")),
    Workload("matmul bf16 8192", "bench/gpu/matmul.fx", square(8192), square(96), "matmul_bf16",
             (8192, 8192, 8192, "bf16")),
    *(Workload(f"matmul bf16 {'x'.join(map(str, sizes))}", "bench/gpu/matmul.fx", sized(*sizes),
               square(64), "matmul_bf16", (*sizes, "bf16"))
      for sizes in ((512, 512, 512), (4096, 16384, 4096), (512, 512, 65536), (4095, 4097, 4100),
                    (4096, 4096, 4104), (1, 4096, 4096), (8, 4096, 4096), (16, 14336, 4096))),
    *(Workload(f"matmul f16 {n}", "bench/gpu/matmul_f16.fx", square(n), square(64), "matmul_f16")
      for n in (4096, 8192)),
    Workload("matmul f32 4096", "bench/gpu/matmul_f32.fx", square(4096), square(64), "matmul_f32",
             (4096, 4096, 4096, "f32")),
    *(Workload(f"matmul f32 {'x'.join(map(str, sizes))}", "bench/gpu/matmul_f32.fx", sized(*sizes),
               square(64), "matmul_f32", (*sizes, "f32"))
      for sizes in ((512, 512, 512), (4095, 4097, 4100), (1, 4096, 4096), (4, 14336, 4096),
                    (30000, 8, 4096))),
    Workload("matmul f32 by tf32x3 4096", "bench/gpu/matmul_tf32x3.fx", square(4096), square(64),
             "matmul_f32", (4096, 4096, 4096, "f32")),
    *(Workload(f"weights of {bits} bits, {m} rows, 4096 x 4096", f"bench/gpu/matmul_w{bits}.fx",
               sized(m, 4096, 4096), sized(5, 64, 128), f"matmul_w{bits}",
               (m, 4096, 4096, "bf16")) for bits in (8, 4) for m in (1, 16, 64, 128, 4096)),
    *(Workload(f"weights of {bits} bits, {m} rows, 14336 x 4096", f"bench/gpu/matmul_w{bits}.fx",
               sized(m, 14336, 4096), sized(5, 64, 128), f"matmul_w{bits}",
               (m, 14336, 4096, "bf16")) for bits in (8, 4) for m in (64, 128)),
    *(Workload(f"gelu before a product bf16 {'x'.join(map(str, sizes))}",
               "bench/gpu/gelu_matmul.fx", sized(*sizes), sized(70, 64, 32), "gelu_matmul",
               (*sizes, "bf16"))
      for sizes in ((4096, 128, 4096), (16384, 256, 1024), (8192, 64, 8192))),
    *(Workload(f"softmax of a product's rows of {n}", "bench/gpu/matmul_softmax.fx",
               sized(65536, n, 512), sized(70, 64, 32), "matmul_softmax", (65536, n, 512, "bf16"))
      for n in (160, 512)),
    *(Workload(f"matmul {kind} {n}", f"bench/gpu/matmul_{kind}.fx", square(n), square(64),
               f"matmul_{kind}") for kind in ("tf32", "i8", "f8") for n in (4096, 8192)),
    *(Workload(f"matmul f8 with scales of 128-blocks {'x'.join(map(str, sizes))}",
               "bench/gpu/matmul_f8_blocks.fx", dict(zip("MNK", sizes)), square(128),
               "matmul_f8_blocks")
      for sizes in ((4096, 4096, 4096), (8192, 2048, 7168), (64, 4096, 7168))),
    Workload("geglu bf16", "examples/geglu.fx", {"N": 16384, "D": 1024}, {"N": 32, "D": 32},
             "geglu", (16384, 8192, 1024, "bf16"), ALONE),
    *(Workload(f"geglu bf16, {n} of {d}", "examples/geglu.fx", {"N": n, "D": d},
               {"N": 32, "D": 32}, "geglu", (n, 8 * d, d, "bf16"), tiles)
      for n, d, tiles in ((16384, 512, ALONE), (512, 1024, ()), (16381, 1024, ALONE))),
    Workload("swiglu bf16", "examples/swiglu.fx", {"N": 8192, "D": 2048, "F": 5632},
             {"N": 32, "D": 32, "F": 48}, "swiglu", (8192, 2 * 5632, 2048, "bf16")),
    *(Workload(f"swiglu bf16, {n} of {d}, {f}", "examples/swiglu.fx", {"N": n, "D": d, "F": f},
               {"N": 32, "D": 32, "F": 48}, "swiglu", (n, 2 * f, d, "bf16"), tiles)
      for n, d, f, tiles in ((8192, 768, 2048, ALONE), (512, 4096, 14336, ()))),
    Workload("lora bf16", "examples/lora.fx", {"N": 8192, "D": 4096, "M": 4096, "R": 16},
             {"N": 32, "D": 32, "M": 48, "R": 8}, "lora", (8192, 4096, 4096, "bf16")),
    Workload("linear and cross_entropy bf16", "examples/linear_cross_entropy.fx",
             {"N": 4096, "V": 50304, "D": 2048}, {"N": 16, "V": 2560, "D": 16},
             "linear_cross_entropy", (4096, 50304, 2048, "bf16")),
    *(attention(*case) for case in ATTENTIONS),
    *(Workload(f"attention f32 by {precision}, D={d}, S={s}",
               f"bench/gpu/attention_{precision}.fx", {"B": 8, "H": 1, "S": s, "D": d},
               {"B": 1, "H": 2, "S": 33, "D": 16}, "f32_attention")
      for precision, d, s in (("ieee", 32, 4096), ("ieee", 64, 16384), ("ieee", 128, 4096),
                              ("tf32x3", 128, 4096), ("tf32x3", 64, 16384), ("tf32", 64, 16384),
                              ("bf16x3", 64, 16384))),
    Workload("causal attention of [B, S, H, D] bf16, D=64", "bench/gpu/attention_heads.fx",
             {"B": 4, "S": 2048, "H": 25, "D": 64}, {"B": 1, "S": 33, "H": 2, "D": 16},
             "heads_attention"),
    Workload("causal attention of [B, S, H, D] bf16, D=128", "bench/gpu/attention_heads.fx",
             {"B": 2, "S": 4096, "H": 16, "D": 128}, {"B": 1, "S": 33, "H": 2, "D": 16},
             "heads_attention"),
    Workload("causal attention of [B, S, H, D] bf16, 4 heads to a group",
             "bench/gpu/attention_groups.fx",
             {"B": 1, "S": 4096, "G": 8, "R": 4, "D": 128}, {"B": 1, "S": 33, "G": 2, "R": 2, "D": 16},
             "groups_attention"),
    Workload("attention bf16, latent keys, one query", "bench/gpu/attention_latent.fx",
             {"B": 8, "H": 128, "T": 4096, "R": 512, "P": 64},
             {"B": 2, "H": 3, "T": 33, "R": 16, "P": 4}, "latent_attention"),
    Workload("attention bf16, learned queries", "bench/gpu/attention_learned.fx",
             {"B": 4, "H": 8, "M": 256, "S": 16384, "D": 64},
             {"B": 2, "H": 3, "M": 5, "S": 33, "D": 16}, "learned_attention"),
    Workload("matmul bf16, 64 of K=128", "bench/gpu/matmul_batches.fx",
             {"B": 64, "M": 1024, "N": 1024, "K": 128}, {"B": 3, "M": 70, "N": 72, "K": 24},
             "matmul_batches"),
    *(Workload(f"matmul bf16, {b} of {m} x {m}, K={k}", "bench/gpu/matmul_batches.fx",
               {"B": b, "M": m, "N": m, "K": k}, {"B": 3, "M": 70, "N": 72, "K": 24},
               "matmul_batches")
      for b, m, k in ((512, 128, 128), (64, 1000, 124))),
    Workload("q, k, v bf16 4096", "bench/gpu/matmul_qkv.fx", square(4096), square(64), "matmul_qkv"),
    Workload("product, bias, gelu, residual bf16 4096", "bench/gpu/matmul_gelu.fx", square(4096),
             square(64), "matmul_gelu"),
    *(Workload(f"GPT-2 block bf16, {B} x {S}, {H} heads of 64", "examples/transformer_block.fx",
               {"B": B, "S": S, "H": H, "D": 64}, {"B": 2, "S": 33, "H": 2, "D": 16}, "gpt2_block")
      for B, S, H in ((8, 1024, 12), (4, 2048, 25), (1, 128, 12), (1, 512, 12))),
    *(Workload(f"Llama block bf16, {tokens} tokens{norms}", f"bench/gpu/{model}.fx",
               {"B": 1, "S": tokens, "G": 8, "R": 4, "D": 128, "F": 14336},
               {"B": 1, "S": 33, "G": 2, "R": 2, "D": 16, "F": 48}, model)
      for tokens, norms, model in ((4096, "", "llama_block"), (512, "", "llama_block"),
                                   (4096, ", q and k norms", "llama_block_qk_norm"))),
]
