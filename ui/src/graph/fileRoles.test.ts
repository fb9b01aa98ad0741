import { expect, it } from "vitest";
import { hasOtherRole } from "./fileRoles";

it.each([
  ["wan2.2_i2v_low_noise_14B.safetensors", "wan2.2_i2v_high_noise_14B.safetensors", true],
  ["Wan2_2-I2V-A14B-LOW.safetensors", "wan/Wan2_2-I2V-A14B-HighNoise.safetensors", true],
  ["sd_xl_refiner_1.0.safetensors", "sd_xl_base_1.0.safetensors", true],
  ["control_sd15_pose.pth", "control_sd15_openpose.pth", false],
  ["controlnet_union_sdxl.safetensors", "controlnet_canny_sdxl.safetensors", false],
  ["wan2.1_i2v_480p_14B_fp16.safetensors", "wan2.2_i2v_14B_fp8.safetensors", true],
  ["wan_14B_fp16.safetensors", "wan_high_noise_14B_fp8.safetensors", true],
  ["wan_2.1_vae.safetensors", "Wan2_1_VAE_bf16.safetensors", false],
  ["wan_2.1_vae.safetensors", "wan2.2_vae.safetensors", true],
  ["flux1-dev.safetensors", "flux2-dev.safetensors", true],
  ["flux1-dev.safetensors", "flux_dev_fp8.safetensors", false],
  ["qwen_2.5_vl_7b.safetensors", "qwen_3_4b.safetensors", true],
  ["qwen_3_4b.safetensors", "qwen3_4b_fp8.safetensors", false],
  ["hunyuanvideo1.5_720p_i2v.safetensors", "hunyuanvideo15_i2v.safetensors", false],
  ["v1-5-pruned.safetensors", "v2-1_768.safetensors", true],
  ["juggernautXL_v8.safetensors", "juggernautXL_v9.safetensors", false],
  ["ltxv-2b-0.9.8.safetensors", "ltxv-13b-0.9.8.safetensors", false],
  ["high/wan_low_noise.safetensors", "wan_low_noise.safetensors", false],
])("of %s, %s is for something else: %s", (name, other, isOther) => {
  expect([hasOtherRole(name, other), hasOtherRole(other, name)]).toEqual([isOther, isOther]);
});
