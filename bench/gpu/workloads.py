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

    @property
    def path(self):
        return ROOT / self.model

    def dims(self, small):
        return self.small if small else self.large


def square(n):
    return {"M": n, "N": n, "K": n}


# Scores, D and S; 16 heads, B S = 8192.
ATTENTIONS = [(kind, d, s) for kind in ("full", "causal") for d in (64, 96, 128, 256)
              for s in (4096, 8192)] + [("capped", 128, 8192)]
MODELS = {"full": "bench/gpu/attention_full.fx", "causal": "examples/attention.fx",
          "capped": "bench/gpu/attention_capped.fx"}


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
    Workload("softmax bf16, rows of 131072", "bench/gpu/softmax_bf16.fx", {"N": 1024, "D": 131072},
             {"N": 4, "D": 8192}, "softmax_bf16"),
    Workload("rms_norm bf16, rows of 4096", "examples/rms_norm.fx", {"N": 32768, "D": 4096},
             {"N": 64, "D": 256}, "rms_norm"),
    Workload("layer_norm bf16, rows of 4096", "examples/layer_norm.fx", {"N": 32768, "D": 4096},
             {"N": 64, "D": 256}, "layer_norm"),
    Workload("cross_entropy bf16, 50304 classes", "examples/cross_entropy.fx",
             {"N": 4096, "V": 50304}, {"N": 16, "V": 1009}, "cross_entropy"),
    Workload("column sums f32", "bench/gpu/column_sum.fx", {"M": 65536, "N": 4096},
             {"M": 1000, "N": 100}, "column_sum_f32"),
    Workload("column sums bf16", "bench/gpu/column_sum_bf16.fx", {"M": 65536, "N": 8192},
             {"M": 1000, "N": 100}, "column_sum_bf16"),
    Workload("column sums f32, ragged", "bench/gpu/column_sum.fx", {"M": 65535, "N": 4099},
             {"M": 999, "N": 33}, "column_sum_f32"),
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
    Workload("matmul bf16 4096", "bench/gpu/matmul.fx", square(4096), square(64), "matmul_bf16",
             (4096, 4096, 4096, "bf16")),
    Workload("matmul bf16 8192", "bench/gpu/matmul.fx", square(8192), square(96), "matmul_bf16",
             (8192, 8192, 8192, "bf16")),
    Workload("matmul f32 4096", "bench/gpu/matmul_f32.fx", square(4096), square(64), "matmul_f32",
             (4096, 4096, 4096, "f32")),
    *(Workload(f"matmul {kind} {n}", f"bench/gpu/matmul_{kind}.fx", square(n), square(64),
               f"matmul_{kind}") for kind in ("tf32", "i8", "f8") for n in (4096, 8192)),
    *(Workload(f"matmul f8 with scales of 128-blocks {'x'.join(map(str, sizes))}",
               "bench/gpu/matmul_f8_blocks.fx", dict(zip("MNK", sizes)), square(128),
               "matmul_f8_blocks")
      for sizes in ((4096, 4096, 4096), (8192, 2048, 7168), (64, 4096, 7168))),
    Workload("geglu bf16", "examples/geglu.fx", {"N": 16384, "D": 1024}, {"N": 32, "D": 32},
             "geglu", (16384, 8192, 1024, "bf16")),
    Workload("swiglu bf16", "examples/swiglu.fx", {"N": 8192, "D": 2048, "F": 5632},
             {"N": 32, "D": 32, "F": 48}, "swiglu", (8192, 2 * 5632, 2048, "bf16")),
    Workload("lora bf16", "examples/lora.fx", {"N": 8192, "D": 4096, "M": 4096, "R": 16},
             {"N": 32, "D": 32, "M": 48, "R": 8}, "lora", (8192, 4096, 4096, "bf16")),
    Workload("linear and cross_entropy bf16", "examples/linear_cross_entropy.fx",
             {"N": 4096, "V": 50304, "D": 2048}, {"N": 16, "V": 2560, "D": 16},
             "linear_cross_entropy", (4096, 50304, 2048, "bf16")),
    *(attention(*case) for case in ATTENTIONS),
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
    Workload("matmul bf16, 64 of K=128", "bench/gpu/matmul_batches.fx",
             {"B": 64, "M": 1024, "N": 1024, "K": 128}, {"B": 3, "M": 70, "N": 72, "K": 24},
             "matmul_batches"),
    Workload("q, k, v bf16 4096", "bench/gpu/matmul_qkv.fx", square(4096), square(64), "matmul_qkv"),
    Workload("product, bias, gelu, residual bf16 4096", "bench/gpu/matmul_gelu.fx", square(4096),
             square(64), "matmul_gelu"),
    *(Workload(f"GPT-2 block bf16, {B} x {S}, {H} heads of 64", "examples/transformer_block.fx",
               {"B": B, "S": S, "H": H, "D": 64}, {"B": 2, "S": 33, "H": 2, "D": 16}, "gpt2_block")
      for B, S, H in ((8, 1024, 12), (4, 2048, 25))),
    *(Workload(f"Llama block bf16, 4096 tokens{norms}", f"bench/gpu/{model}.fx",
               {"B": 1, "S": 4096, "G": 8, "R": 4, "D": 128, "F": 14336},
               {"B": 1, "S": 33, "G": 2, "R": 2, "D": 16, "F": 48}, model)
      for norms, model in (("", "llama_block"), (", q and k norms", "llama_block_qk_norm"))),
]
