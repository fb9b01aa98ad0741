import { expect, it } from "vitest";
import { hasOtherRole } from "./fileRoles";

it.each([
  ["wan2.2_i2v_low_noise_14B.safetensors", "wan2.2_i2v_high_noise_14B.safetensors", true],
  ["Wan2_2-I2V-A14B-LOW.safetensors", "wan/Wan2_2-I2V-A14B-HighNoise.safetensors", true],
  ["sd_xl_refiner_1.0.safetensors", "sd_xl_base_1.0.safetensors", true],
  ["control_sd15_pose.pth", "control_sd15_openpose.pth", false],
  ["controlnet_union_sdxl.safetensors", "controlnet_canny_sdxl.safetensors", false],
  ["high/wan_low_noise.safetensors", "wan_low_noise.safetensors", false],
])("of %s, %s is for something else: %s", (name, other, isOther) => {
  expect([hasOtherRole(name, other), hasOtherRole(other, name)]).toEqual([isOther, isOther]);
});
