import { expect, it } from "vitest";
import type { GraphWidget } from "../../graph/graph";
import { samplerPair, spelledLike } from "./spelling";

const samplers = [
  "euler",
  "euler_cfg_pp",
  "euler_ancestral",
  "euler_ancestral_cfg_pp",
  "heun",
  "dpm_2",
  "dpm_2_ancestral",
  "lms",
  "dpm_fast",
  "dpm_adaptive",
  "dpmpp_2s_ancestral",
  "dpmpp_sde",
  "dpmpp_sde_gpu",
  "dpmpp_2m",
  "dpmpp_2m_sde",
  "dpmpp_3m_sde",
  "ddim",
  "uni_pc",
  "uni_pc_bh2",
];
const schedulers = [
  "simple",
  "sgm_uniform",
  "karras",
  "exponential",
  "ddim_uniform",
  "beta",
  "normal",
  "linear_quadratic",
  "kl_optimal",
];
const choice = (name: string, choices: string[]): GraphWidget => ({
  name,
  kind: "choice",
  value: "",
  choices,
});
const widgets = [choice("sampler_name", samplers), choice("scheduler", schedulers)] as const;

it.each([
  ["Euler", "euler"],
  ["Euler a", "euler_ancestral"],
  ["euler_a", "euler_ancestral"],
  ["k_euler_a", "euler_ancestral"],
  ["DPM2 a", "dpm_2_ancestral"],
  ["DPM++ 2S a", "dpmpp_2s_ancestral"],
  ["DPM++ SDE", "dpmpp_sde"],
  ["dpm++ 2m sde", "dpmpp_2m_sde"],
  ["DPM adaptive", "dpm_adaptive"],
  ["UniPC", "uni_pc"],
  ["Restart", undefined],
])("takes %s for %s", (written, name) => {
  expect(spelledLike(samplers, written)).toBe(name);
});

it.each([
  ["dpm++ 2m karras", "dpmpp_2m", "karras"],
  ["dpmpp_2m_karras", "dpmpp_2m", "karras"],
  ["DPM++ SDE Karras", "dpmpp_sde", "karras"],
  ["DPM++ 3M SDE Exponential", "dpmpp_3m_sde", "exponential"],
  ["Euler a Karras", "euler_ancestral", "karras"],
  ["DDIM uniform", undefined, undefined],
  ["euler sgm uniform", "euler", "sgm_uniform"],
  ["Euler, ddim_uniform", "euler", "ddim_uniform"],
  ["euler", undefined, undefined],
  ["chocolate karras", undefined, undefined],
])("parts %s", (written, sampler, scheduler) => {
  expect(samplerPair(widgets, widgets[0], written)).toEqual(sampler && { sampler, scheduler });
});

it("leaves files with names that are alike to whoever chooses", () => {
  expect(spelledLike(["a b.pt", "a-b.pt"], "a_b.pt")).toBeUndefined();
});
