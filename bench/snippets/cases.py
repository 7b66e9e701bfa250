"""The snippets: sizes and work of each model. What PyTorch does instead is the function of the same name in
the module of its topic."""
import pathlib
import re
from dataclasses import dataclass

MODELS = pathlib.Path(__file__).resolve().parent / "models"


@dataclass(frozen=True)
class Case:
    topic: str
    name: str
    gpu: list  # sizes, those of a row each
    cpu: list
    small: str  # sizes that PyTorch's results are compared at
    operations: str = ""  # formula of sizes: of products, and where else they bound the time
    bytes: str = ""  # where an input is not read once
    ranges: str = ""  # of inputs, as a comment of the model has them, where a bound is a formula of sizes
    rate: str = "bf16"  # type of the operations
    is_compiled: bool = True  # torch.compile takes the formula, too; not if it stores all scores of an attention

    @property
    def path(self):
        return MODELS / f"{self.name}.fx"

    @property
    def text(self):
        return self.path.read_text()

    @property
    def is_random(self):
        return "random_" in self.text

    @property
    def function(self):
        """The last one of the model."""
        return re.findall(r"^fn (\w+)", self.text, re.M)[-1]

    def derivative(self):
        """(vjp or value_and_grad, names of the inputs that it is by, or none of them); None: it is none."""
        found = re.search(r"= (vjp|value_and_grad)\(\w+(?:, wrt = \[(.*)\])?\)", self.text)
        return found and (found[1], found[2].split(", ") if found[2] else [])

    def options(self, dims):
        """Of fusec's command line."""
        sizes = [word for name, n in dims.items() for word in ("-D", f"{name}={n}")]
        return [*sizes, f"--fn={self.function}"]


def dims_of(sizes):
    return {name: int(n) for name, n in (word.split("=") for word in sizes.split())}


CASES = [
    # ---- attention
    Case("attention", "rms_qkv_rope", ["N=2048 H=32 G=8 D=128 K=4096", "N=16 H=32 G=8 D=128 K=4096"],
         ["N=128 H=32 G=8 D=128 K=1024", "N=16 H=32 G=8 D=128 K=1024"], "N=5 H=4 G=2 D=16 K=32",
         operations="2 * N * K * (H + 2 * G) * D"),
    Case("attention", "qk_norm_rope", ["N=8192 H=32 G=8 D=128"], ["N=1024 H=32 G=8 D=128"],
         "N=5 H=4 G=2 D=16"),
    Case("attention", "rope_interleaved", ["B=4 S=4096 H=16 D=128"], ["B=4 S=512 H=16 D=128"],
         "B=2 S=5 H=3 D=8"),
    Case("attention", "norm_rope_vjp", ["B=4 S=2048 H=16 D=128"], ["B=4 S=256 H=16 D=128"],
         "B=2 S=5 H=3 D=16"),
    Case("attention", "gqa_decode", ["B=8 G=8 R=4 T=8192 D=128"], ["B=8 G=8 R=4 T=512 D=128"],
         "B=2 G=2 R=2 T=37 D=16", operations="3 * B * G * R * T * D", bytes="3 * B * G * T * D",
         ranges="length T/2..T"),
    Case("attention", "gqa_decode_bsgd", ["B=8 G=8 R=8 T=4096 D=128"], ["B=8 G=8 R=8 T=512 D=128"],
         "B=2 G=2 R=2 T=37 D=16"),
    Case("attention", "decode_kv_f8", ["B=16 G=8 R=4 T=4096 D=128"], ["B=16 G=8 R=4 T=512 D=128"],
         "B=2 G=2 R=2 T=37 D=16", operations="4 * B * G * R * T * D"),
    Case("attention", "quantise_kv", ["B=8 S=4096 G=8 D=128"], ["B=8 S=512 G=8 D=128"], "B=2 S=5 G=3 D=16"),
    Case("attention", "speculative_verify", ["B=4 G=8 R=4 Q=8 T=4096 D=128"],
         ["B=4 G=8 R=4 Q=8 T=1024 D=128"], "B=2 G=2 R=2 Q=3 T=37 D=16",
         operations="3 * B * G * R * Q * T * D", bytes="3 * B * G * T * D", ranges="length T/2..T-Q"),
    Case("attention", "decode_block", ["N=1 H=32 G=8 E=128 D=4096 F=14336 T=2048"],
         ["N=1 H=32 G=8 E=128 D=512 F=896 T=1024"], "N=3 H=4 G=2 E=16 D=32 F=48 T=37",
         operations="2 * N * D * ((2 * H + 2 * G) * E + 3 * F)", ranges="length T/2..T"),
    Case("attention", "prefill_prefix", ["G=8 R=4 S=1024 P=7168 D=128"], ["G=8 R=4 S=256 P=448 D=128"],
         "G=2 R=2 S=19 P=23 D=16", operations="4 * G * R * S * (P + S / 2) * D", is_compiled=False),
    Case("attention", "window_sink", ["G=8 R=8 S=4096 D=64 W=128"], ["G=8 R=8 S=1024 D=64 W=128"],
         "G=2 R=2 S=37 D=16 W=9", operations="4 * G * R * S * W * D", is_compiled=False),
    Case("attention", "gemma_window_cap", ["G=4 R=2 S=8192 D=256 W=4096"], ["G=4 R=2 S=1024 D=256 W=256"],
         "G=2 R=2 S=37 D=16 W=9", operations="4 * G * R * (S - W / 2) * W * D", is_compiled=False),
    Case("attention", "packed_documents", ["S=8192 H=12 D=64 P=512"], ["S=2048 H=12 D=64 P=256"],
         "S=37 H=2 D=16 P=9", operations="4 * S * H * P * D", is_compiled=False),
    Case("attention", "differential_attention", ["H=16 S=4096 D=64"], ["H=16 S=512 D=64"], "H=2 S=37 D=8",
         operations="2 * 2 * H * S * S * 1.5 * D", is_compiled=False),
    Case("attention", "t5_bias", ["B=16 H=12 S=512 D=64"], ["B=16 H=12 S=128 D=64"], "B=2 H=2 S=19 D=16",
         operations="4 * B * H * S * S * D"),
    Case("attention", "attention_bias_vjp", ["B=8 H=8 S=512 D=64"], ["B=8 H=8 S=256 D=64"],
         "B=2 H=2 S=19 D=16", operations="10 * B * H * S * S * D"),
    Case("attention", "padding_mask_encoder", ["B=32 H=12 S=512 D=64"], ["B=16 H=12 S=128 D=64"],
         "B=3 H=2 S=19 D=16", operations="2 * B * H * S * S * D"),
    Case("attention", "swin_windows", ["B=32 W=64 H=6 S=49 D=32"], ["B=16 W=16 H=6 S=49 D=32"],
         "B=2 W=3 H=2 S=9 D=8", operations="4 * B * W * H * S * S * D"),
    Case("attention", "linear_attention_chunks", ["B=4 H=16 S=4096 D=64 C=128"],
         ["B=4 H=16 S=512 D=64 C=128"], "B=2 H=2 S=24 D=8 C=8",
         operations="2 * B * H * S * (C * 2 + D * 2) * D"),
    Case("attention", "attention_backward_gqa", ["B=1 G=8 R=4 S=4096 D=128"],
         ["B=1 G=8 R=4 S=256 D=128"], "B=2 G=2 R=2 S=37 D=16",
         operations="5 * B * G * R * S * S * D", is_compiled=False),
    Case("attention", "additive_attention", ["B=16 N=64 M=512 D=256"], ["B=16 N=64 M=512 D=256"],
         "B=2 N=5 M=7 D=8", operations="12 * B * N * M * D", rate="f32"),
    Case("attention", "lightning_indexer", ["M=1024 N=4096 H=16 D=128"], ["M=128 N=512 H=16 D=64"],
         "M=5 N=9 H=3 D=8", operations="2 * M * N * H * D"),

    # ---- layers
    Case("layers", "gated_mlp_backward", ["N=4096 D=1024 F=2816"], ["N=512 D=512 F=704"], "N=12 D=16 F=24",
         operations="12 * N * D * F"),
    Case("layers", "relu2_mlp", ["N=4096 D=2048 F=8192"], ["N=512 D=1024 F=1024"], "N=12 D=16 F=24",
         operations="4 * N * D * F"),
    Case("layers", "mlp_gelu_residual_vjp", ["N=4096 D=1024 F=4096"], ["N=512 D=512 F=1024"],
         "N=12 D=16 F=24", operations="10 * N * D * F"),
    Case("layers", "norm_linear_vjp", ["N=8192 D=1024 E=3072"], ["N=512 D=512 E=1536"], "N=12 D=16 E=24",
         operations="4 * N * D * E"),
    Case("layers", "moe_experts", ["E=8 T=512 D=2048 F=1408"], ["E=8 T=128 D=512 F=704"], "E=3 T=7 D=16 F=24",
         operations="6 * E * T * D * F"),
    Case("layers", "moe_router_top2", ["N=16384 D=2048 E=64"], ["N=4096 D=2048 E=64"], "N=9 D=16 E=8",
         operations="2 * N * D * E"),
    Case("layers", "moe_gather_scatter", ["N=4096 E=16 C=512 D=1024 F=2048"],
         ["N=512 E=16 C=128 D=512 F=512"], "N=20 E=3 C=7 D=16 F=24", operations="4 * E * C * D * F"),
    Case("layers", "moe_combine", ["N=8192 K=8 D=2048"], ["N=1024 K=8 D=1024"], "N=9 K=3 D=16", ranges="at 0..N*K"),
    Case("layers", "multi_lora", ["N=1024 K=4096 M=4096 L=8 R=16"], ["N=512 K=1024 M=2048 L=8 R=16"],
         "N=9 K=16 M=24 L=3 R=4", operations="2 * N * K * M"),
    Case("layers", "gru_cell", ["N=4096 K=512 H=1024", "N=64 K=512 H=1024"],
         ["N=256 K=512 H=1024", "N=64 K=512 H=1024"], "N=9 K=16 H=24", operations="6 * N * H * (K + H)"),
    Case("layers", "lstm_cell", ["N=2048 K=1024 H=1024"], ["N=256 K=512 H=512"], "N=9 K=16 H=24",
         operations="8 * N * H * (K + H)"),
    Case("layers", "triangle_multiply", ["N=256 C=128"], ["N=128 C=128"], "N=9 C=8",
         operations="2 * N ** 3 * C + 8 * N * N * C * C"),
    Case("layers", "outer_product_mean", ["S=128 R=256 C=32"], ["S=128 R=64 C=32"], "S=6 R=5 C=4",
         operations="2 * S * (R * C) ** 2"),
    Case("layers", "dlrm_interaction", ["N=16384 F=26 D=128 P=351"], ["N=2048 F=26 D=128 P=351"],
         "N=5 F=3 D=16 P=6", operations="2 * N * (F + 1) ** 2 * D", ranges="ij 0..(F+1)*(F+1)"),
    Case("layers", "pointnet_max", ["B=64 P=2048 K=128"], ["B=64 P=2048 K=128"], "B=2 P=9 K=16",
         operations="2 * B * P * 64 * (K + 3)"),

    # ---- products
    Case("products", "int8_dynamic", ["M=4096 N=4096 K=4096"], ["M=1024 N=512 K=2048"], "M=24 N=16 K=32",
         operations="2 * M * N * K", rate="i8"),
    Case("products", "f8_bias_gelu", ["M=4096 N=8192 K=2048"], ["M=1024 N=512 K=2048"], "M=24 N=16 K=32",
         operations="2 * M * N * K", rate="f8e4m3"),
    Case("products", "f8_dynamic", ["M=4096 N=4096 K=4096", "M=64 N=4096 K=4096"],
         ["M=1024 N=512 K=2048", "M=64 N=4096 K=4096"], "M=24 N=16 K=32", operations="2 * M * N * K",
         rate="f8e4m3"),
    Case("products", "w4_zeros", ["M=8 N=4096 K=4096", "M=128 N=4096 K=4096"],
         ["M=8 N=4096 K=4096", "M=128 N=2048 K=4096"], "M=5 N=16 K=128", operations="2 * M * N * K"),
    Case("products", "w4_transposed", ["M=16 N=4096 K=4096", "M=256 N=4096 K=4096"],
         ["M=16 N=4096 K=4096", "M=256 N=1024 K=4096"], "M=5 N=16 K=256", operations="2 * M * N * K"),
    Case("products", "weights_2_of_4", ["M=64 N=4096 K=4096"], ["M=64 N=2048 K=4096"], "M=5 N=16 K=32",
         operations="2 * M * N * K"),
    Case("products", "hamming_matrix", ["N=4096 M=4096 K=16"], ["N=2048 M=2048 K=16"], "N=9 M=7 K=3"),
    Case("products", "muon_step", ["M=1024 N=4096"], ["M=512 N=2048"], "M=12 N=24",
         operations="4 * M * M * N + 2 * M ** 3"),
    Case("products", "batched_bias_relu", ["B=512 M=128 N=256 K=256"], ["B=64 M=128 N=256 K=256"],
         "B=3 M=12 N=16 K=24", operations="2 * B * M * N * K"),
    Case("products", "batched_f32", ["B=8192 M=32 N=32 K=64"], ["B=1024 M=32 N=32 K=64"],
         "B=3 M=12 N=16 K=24", operations="2 * B * M * N * K", rate="f32"),
    Case("products", "gram_bf16", ["N=131072 D=256"], ["N=16384 D=256"], "N=50 D=16",
         operations="2 * N * D ** 2"),
    Case("products", "correlation_matrix", ["N=8192 D=1024"], ["N=2048 D=512"], "N=50 D=16",
         operations="2 * N * D ** 2", rate="f32"),
    Case("products", "tall_skinny", ["N=262144 K=128 M=16"], ["N=65536 K=128 M=16"], "N=50 K=16 M=8",
         operations="2 * N * K * M"),
    Case("products", "wide_short_f32", ["M=16 N=64 K=262144"], ["M=16 N=64 K=65536"], "M=5 N=8 K=100",
         operations="2 * N * K * M", rate="f32"),
    Case("products", "weight_gradient", ["N=16384 M=1024 K=4096"], ["N=1024 M=1024 K=1024"], "N=30 M=16 K=24",
         operations="2 * N * K * M"),
    Case("products", "softmin_of_distances", ["N=16384 M=1024 D=64"], ["N=8192 M=1024 D=64"], "N=50 M=16 D=8",
         operations="4 * N * M * D", rate="f32"),
    Case("products", "rbf_times_vector", ["N=16384 M=16384 D=16"], ["N=8192 M=8192 D=16"], "N=50 M=30 D=4",
         operations="2 * N * M * (D + 4)", rate="f32"),
    Case("products", "vector_quantise", ["N=32768 M=1024 D=64"], ["N=16384 M=1024 D=64"], "N=50 M=16 D=8",
         operations="2 * N * M * D", rate="f32"),
    Case("products", "kmeans_step", ["N=131072 M=256 D=32"], ["N=131072 M=256 D=32"], "N=50 M=8 D=4",
         operations="2 * N * M * D", rate="f32"),
    Case("products", "iou_matrix", ["N=8192 M=2048"], ["N=8192 M=2048"], "N=9 M=7", operations="25 * N * M",
         rate="f32"),

    # ---- rows
    Case("rows", "layer_norm_backward", ["N=16384 D=1024"], ["N=2048 D=1024"], "N=9 D=33"),
    Case("rows", "dropout_residual_norm", ["N=16384 D=1024"], ["N=2048 D=1024"], "N=9 D=33"),
    Case("rows", "concat_layer_norm", ["N=32768 A=256 B=512"], ["N=4096 A=256 B=512"], "N=9 A=5 B=8"),
    Case("rows", "ada_norm_modulate", ["B=16 S=1024 D=1152"], ["B=16 S=256 D=576"], "B=2 S=5 D=16"),
    Case("rows", "embedding_position_norm", ["B=32 S=512 V=30522 D=768"], ["B=32 S=256 V=1907 D=768"],
         "B=2 S=5 V=19 D=16", bytes="2 * B * S * D * 2"),
    Case("rows", "embedding_norm_vjp", ["B=16 S=512 V=30522 D=768"], ["B=16 S=512 V=1907 D=768"],
         "B=2 S=5 V=19 D=16"),
    Case("rows", "mean_pool_normalise", ["B=512 S=128 D=768"], ["B=128 S=128 D=384"], "B=3 S=5 D=7"),
    Case("rows", "softmax_middle_weighted", ["B=64 N=512 D=512"], ["B=64 N=256 D=256"], "B=2 N=9 D=7"),
    Case("rows", "entropy_and_greedy", ["N=1024 V=128256"], ["N=1024 V=8016"], "N=9 V=33"),
    Case("rows", "beam_best", ["B=32 K=8 V=32000"], ["B=32 K=8 V=16000"], "B=3 K=4 V=33"),
    Case("rows", "sampler_penalty_min_p", ["N=64 V=128256 P=256"], ["N=64 V=128256 P=256"], "N=3 V=50 P=7"),
    Case("rows", "clipped_adam", ["N=16777216"], ["N=524288"], "N=1000"),
    Case("rows", "adafactor_step", ["N=4096 M=4096"], ["N=1024 M=1024"], "N=19 M=23"),
    Case("rows", "norm_group_f8", ["N=8192 D=4096"], ["N=512 D=4096"], "N=3 D=256"),
    Case("rows", "nf4_blocks", ["N=16777216"], ["N=1048576"], "N=192"),
    Case("rows", "hadamard_int8", ["N=524288"], ["N=65536"], "N=65"),

    # ---- losses
    Case("losses", "cross_entropy_both", ["N=1024 V=128256"], ["N=1024 V=4008"], "N=9 V=33"),
    Case("losses", "head_z_loss", ["N=4096 V=16384 D=1024"], ["N=512 V=1024 D=512"], "N=12 V=40 D=16",
         operations="6 * N * V * D"),
    Case("losses", "grpo_token_loss", ["N=1024 V=151936"], ["N=1024 V=9496"], "N=9 V=33"),
    Case("losses", "ppo_loss", ["N=65536 A=64"], ["N=32768 A=64"], "N=19 A=5"),
    Case("losses", "bce_focal_mean", ["N=8388608"], ["N=2097152"], "N=1000"),
    Case("losses", "dice_loss", ["N=16 C=8 H=512 W=512"], ["N=16 C=8 H=128 W=256"], "N=2 C=3 H=5 W=7"),
    Case("losses", "clip_loss", ["N=8192 D=512"], ["N=1024 D=512"], "N=30 D=16", operations="2 * N * N * D"),
    Case("losses", "infonce", ["N=4096 D=256"], ["N=1024 D=256"], "N=30 D=16", operations="6 * N * N * D"),
    Case("losses", "cosine_loss", ["N=32768 D=512"], ["N=4096 D=512"], "N=9 D=13"),
    Case("losses", "mixture_density", ["N=262144 K=16"], ["N=32768 K=16"], "N=19 K=5"),
    Case("losses", "distillation", ["N=2048 V=32000"], ["N=1024 V=2000"], "N=9 V=33"),
    Case("losses", "ranknet", ["B=128 L=512"], ["B=128 L=512"], "B=3 L=9", operations="30 * B * L * L",
         rate="f32"),
    Case("losses", "focal_classes_vjp", ["N=65536 C=80"], ["N=8192 C=80"], "N=19 C=5"),
    Case("losses", "tversky_vjp", ["B=16 C=8 H=256 W=256"], ["B=4 C=8 H=128 W=128"], "B=2 C=3 H=5 W=7"),

    # ---- images
    Case("images", "group_norm_silu_nhwc", ["N=8 H=64 W=64 C=320"], ["N=8 H=32 W=64 C=320"],
         "N=2 H=3 W=5 C=64"),
    Case("images", "batch_norm_train_nhwc", ["N=64 H=56 W=56 C=64"], ["N=32 H=28 W=56 C=64"],
         "N=2 H=3 W=5 C=8"),
    Case("images", "batch_norm_backward_nchw", ["N=64 C=128 H=28 W=28"], ["N=64 C=64 H=28 W=28"],
         "N=2 C=3 H=5 W=7"),
    Case("images", "batch_norm_relu_vjp", ["N=32 H=28 W=28 C=256"], ["N=32 H=28 W=28 C=128"],
         "N=2 H=5 W=3 C=8"),
    Case("images", "instance_norm_leaky", ["N=8 C=32 H=256 W=256"], ["N=8 C=32 H=64 W=128"],
         "N=2 C=3 H=5 W=7"),
    Case("images", "squeeze_excite", ["N=64 C=256 H=28 W=28 R=16"], ["N=32 C=128 H=28 W=28 R=16"],
         "N=2 C=8 H=3 W=5 R=4"),
    Case("images", "pool_and_head", ["N=256 H=7 W=7 C=2048 M=1000"], ["N=128 H=7 W=7 C=1024 M=500"],
         "N=3 H=3 W=3 C=16 M=8", operations="2 * N * C * M"),
    Case("images", "patch_embedding", ["N=64 H=224 D=768"], ["N=32 H=224 D=192"], "N=2 H=32 D=16",
         operations="2 * N * (H // 16) ** 2 * 768 * D"),
    Case("images", "patch_merge_norm_linear", ["N=32 H=56 W=56 C=128"], ["N=16 H=56 W=28 C=128"],
         "N=2 H=6 W=4 C=16", operations="4 * N * H * W * C * C"),
    Case("images", "conv3x3_nhwc", ["N=32 H=56 W=56 C=64 D=64", "N=32 H=14 W=14 C=256 D=256"],
         ["N=16 H=28 W=56 C=64 D=64", "N=16 H=14 W=14 C=128 D=256"], "N=2 H=5 W=6 C=8 D=16",
         operations="18 * N * H * W * C * D"),
    Case("images", "depthwise3x3_nhwc", ["N=32 H=56 W=56 C=192"], ["N=16 H=56 W=56 C=96"], "N=2 H=5 W=6 C=8"),
    Case("images", "conv_transpose_2x2", ["N=16 H=64 W=64 C=256 D=128"], ["N=16 H=32 W=32 C=128 D=64"],
         "N=2 H=3 W=5 C=16 D=8", operations="8 * N * H * W * C * D"),
    Case("images", "sobel_edges", ["N=16 H=1024 W=2048"], ["N=16 H=256 W=512"], "N=2 H=9 W=11"),
    Case("images", "upsample_nearest_add", ["N=8 C=256 H=64 W=64"], ["N=8 C=32 H=64 W=64"], "N=2 C=3 H=5 W=7"),
    Case("images", "pixel_shuffle_to_u8", ["N=8 H=540 W=960"], ["N=8 H=270 W=240"], "N=2 H=5 W=7"),
    Case("images", "grid_sample_bilinear", ["N=8 C=32 H=128 W=128"], ["N=8 C=32 H=64 W=128"],
         "N=2 C=3 H=5 W=7"),
    Case("images", "box_of_integral_image", ["N=8 H=1024 W=1024"], ["N=8 H=512 W=512"], "N=2 H=19 W=23"),
    Case("images", "resize_half_normalise", ["N=64 H=224 W=224"], ["N=32 H=112 W=224"], "N=2 H=5 W=7"),
    Case("images", "rgb_to_yuv420", ["N=8 H=1080 W=1920"], ["N=8 H=540 W=960"], "N=2 H=6 W=8"),
    Case("images", "histogram_equalise", ["N=16 P=1048576"], ["N=16 P=524288"], "N=3 P=50"),
    Case("images", "dct8_quantise", ["N=16 H=1080 W=1920"], ["N=16 H=1080 W=240"], "N=2 H=16 W=8"),

    # ---- sequences
    Case("sequences", "conv1d_windows_vjp", ["B=8 S=2048 C=256 D=256"], ["B=8 S=256 C=256 D=256"],
         "B=2 S=7 C=8 D=16", operations="18 * B * S * C * D"),
    Case("sequences", "mamba_conv_silu", ["B=8 S=2048 C=2048"], ["B=8 S=512 C=1024"], "B=2 S=7 C=8"),
    Case("sequences", "token_shift_mix", ["B=8 S=2048 C=2048"], ["B=8 S=256 C=512"], "B=2 S=7 C=8"),
    Case("sequences", "selective_scan_chunk", ["B=512 S=64 C=1024"], ["B=64 S=64 C=256"], "B=2 S=9 C=8"),
    Case("sequences", "nerf_composite", ["R=65536 S=64"], ["R=16384 S=64"], "R=9 S=11"),
    Case("sequences", "discounted_returns", ["N=16384 T=256"], ["N=4096 T=256"], "N=9 T=17"),
    Case("sequences", "log_mel", ["B=32 T=3000 K=201 M=80"], ["B=32 T=375 K=201 M=80"], "B=2 T=5 K=9 M=4",
         operations="2 * B * T * K * M", rate="f32"),
    Case("sequences", "stft_log_power", ["B=32 T=1250"], ["B=32 T=156"], "B=2 T=5",
         operations="4 * B * T * 512 * 257", rate="f32"),
    Case("sequences", "fir_decimate", ["B=64 N=65536"], ["B=64 N=16384"], "B=2 N=9"),
    Case("sequences", "cumulative_max", ["B=4096 T=1024"], ["B=1024 T=1024"], "B=3 T=1024"),
    Case("sequences", "ema_by_product", ["B=16384 T=256"], ["B=8192 T=256"], "B=5 T=17",
         operations="B * T * T", rate="f32"),
    Case("sequences", "rolling_z_max_min", ["B=4096 T=4096"], ["B=512 T=2048"], "B=3 T=17"),
    Case("sequences", "viterbi_step", ["B=1024 T=128"], ["B=1024 T=128"], "B=3 T=7",
         operations="2 * B * T * T", rate="f32"),
    Case("sequences", "noise_sample_and_target", ["B=64 N=65536"], ["B=64 N=32768"], "B=3 N=19"),
    Case("sequences", "griffin_phase", ["N=16777216"], ["N=1048576"], "N=1000"),
    Case("sequences", "draft_accept", ["B=32 V=32000"], ["B=4 V=32000"], "B=3 V=19"),

    # ---- simulation
    Case("simulation", "stencil_7_points", ["A=384 B=384 C=384"], ["A=96 B=96 C=192"], "A=5 B=6 C=7"),
    Case("simulation", "burgers_minmod", ["B=64 N=262144"], ["B=64 N=32768"], "B=2 N=9"),
    Case("simulation", "ising_half_sweep", ["H=4096 W=4096"], ["H=2048 W=4096"], "H=6 W=8"),
    Case("simulation", "lattice_boltzmann", ["H=2048 W=2048"], ["H=512 W=512"], "H=5 W=7"),
    Case("simulation", "lennard_jones", ["N=8192"], ["N=8192"], "N=50", operations="30 * N * N", rate="f32"),
    Case("simulation", "asian_option", ["P=262144 T=64"], ["P=262144 T=64"], "P=19 T=8",
         operations="100 * P * T", rate="f32"),
    Case("simulation", "sinkhorn", ["B=64 N=512"], ["B=64 N=256"], "B=2 N=9"),
    Case("simulation", "tridiagonal_8", ["N=524288"], ["N=131072"], "N=9"),
    Case("simulation", "inverse_4x4", ["N=1048576"], ["N=131072"], "N=9"),
    Case("simulation", "cholesky_solve_4x4", ["N=1048576"], ["N=131072"], "N=9"),
    Case("simulation", "kalman_step", ["N=524288"], ["N=131072"], "N=9"),
    Case("simulation", "skinning_4_bones", ["V=524288 B=256"], ["V=262144 B=256"], "V=9 B=5"),
    Case("simulation", "ell_times_vector", ["N=1048576 K=16"], ["N=131072 K=16"], "N=50 K=5"),
    Case("simulation", "pressure_jacobi", ["H=4096 W=4096"], ["H=512 W=1024"], "H=9 W=11"),

    # ---- records
    Case("records", "graph_mean_of_neighbours", ["N=32768 E=524288 D=128"], ["N=16384 E=65536 D=128"],
         "N=20 E=50 D=8", bytes="E * D * 2 + E * 8 + N * D * 6"),
    Case("records", "factorisation_machine", ["N=65536 F=39 V=1000000 D=16"], ["N=65536 F=39 V=125000 D=16"],
         "N=9 F=5 V=19 D=4", bytes="N * F * (4 + 64 + 32)"),
    Case("records", "hash_embedding", ["N=262144 V=65536 D=64"], ["N=65536 V=16384 D=64"], "N=50 V=16 D=8"),
    Case("records", "dates_of_days", ["N=16777216"], ["N=2097152"], "N=50"),
    Case("records", "z_score_by_group", ["N=4194304 G=10000"], ["N=1048576 G=10000"], "N=50 G=5"),
    Case("records", "join_and_weighted_mean", ["N=8388608 I=100000 S=500"], ["N=1048576 I=100000 S=500"],
         "N=50 I=9 S=5"),
    Case("records", "order_book_features", ["N=1048576"], ["N=65536"], "N=9"),
]
