import { expect, it } from "vitest";
import { editWorkflow } from "../editWorkflow";
import { testCalls } from "../testing/testCall";

/** A picture that is scaled and saved, and one that is decoded from a latent and saved. */
function twoBranches() {
  const calls = testCalls(
    [
      "EmptyImage",
      "ImageInvert",
      "SaveImage",
      "EmptyLatentImage",
      "VAEDecode",
      "SaveImage",
      "CheckpointLoaderSimple",
    ],
    ["1.IMAGE>2.image", "2.IMAGE>3.images", "4.LATENT>5.samples", "7.VAE>5.vae", "5.IMAGE>6.images"],
  );
  const edit = (...operations: object[]) => calls.call(editWorkflow, { operations });
  return { ...calls, edit };
}

it("tells what gets nothing where its source is bypassed and has nothing of the kind to hand on", async () => {
  const { edit } = twoBranches();
  expect(await edit({ op: "bypass", nodes: ["5"] })).toMatchObject({
    summary:
      "Changed 5 VAEDecode bypassed. Still unconnected: 6.images gets nothing: 5 VAEDecode is bypassed.",
    data: { stillUnconnected: ["6.images gets nothing: 5 VAEDecode is bypassed"] },
  });
});

it("says nothing where the bypassed node hands its input on, or what it fed does not run either", async () => {
  const { edit } = twoBranches();
  expect(await edit({ op: "bypass", nodes: ["2"] })).not.toHaveProperty("data.stillUnconnected");
  expect(await edit({ op: "mute", nodes: ["5", "6"] })).not.toHaveProperty("data.stillUnconnected");
});

it("tells it where the source behind a bypassed node goes, and where what it feeds is made active", async () => {
  const { edit } = twoBranches();
  await edit({ op: "bypass", nodes: ["2"] });
  const starved = { data: { stillUnconnected: ["3.images gets nothing: 2 ImageInvert is bypassed"] } };
  expect(await edit({ op: "mute", nodes: ["1"] })).toMatchObject(starved);
  await edit({ op: "mute", nodes: ["3"] });
  expect(await edit({ op: "mode", nodes: ["3"], mode: "active" })).toMatchObject(starved);
});

it("tells it of a node that the same batch has added", async () => {
  const { edit } = twoBranches();
  expect(
    await edit(
      { op: "add", type: "ImageInvert", as: "again", inputs: { image: "2.IMAGE" } },
      { op: "connect", from: "again.IMAGE", to: "3.images" },
      { op: "mute", nodes: ["again"] },
    ),
  ).toMatchObject({
    data: { stillUnconnected: ["3.images gets nothing: 8 ImageInvert is muted; bypass hands on 2.IMAGE"] },
  });
  expect(await edit({ op: "add", type: "EmptyImage" })).toMatchObject({
    data: { stillUnconnected: ["9 is used by nothing: IMAGE"] },
  });
});

it("keeps to what the edit has switched", async () => {
  const { edit } = twoBranches();
  await edit({ op: "bypass", nodes: ["5"] });
  expect(await edit({ op: "bypass", nodes: ["2"] })).not.toHaveProperty("data.stillUnconnected");
  expect(await edit({ op: "title", nodes: ["1"], title: "Sky" })).not.toHaveProperty("data.stillUnconnected");
});

it("says that nothing is shown or saved any more", async () => {
  const { edit } = twoBranches();
  expect(await edit({ op: "mute", nodes: ["3", "6"] })).toMatchObject({
    data: { stillUnconnected: ["no active node shows or saves a result"] },
  });
});

it("says that the page cannot make a prompt any more, of an edit that is made nevertheless", async () => {
  const { edit, comfy } = twoBranches();
  comfy.unwired = async () => ({ links: [] });
  comfy.queue.prompt = async () => {
    throw new Error("No input found for flattened id [1] slot [0]");
  };
  expect(await edit({ op: "bypass", nodes: ["1"] })).toMatchObject({
    ok: true,
    data: {
      stillUnconnected: [
        "ComfyUI cannot make a prompt of the workflow now (No input found for flattened id [1] slot [0])",
      ],
    },
  });
  expect(comfy.graph().nodes[0]?.mode).toBe("bypassed");
});

it("names what bypass would hand on of a muted node that what runs takes from", async () => {
  const { edit } = twoBranches();
  expect(await edit({ op: "mute", nodes: ["2"] })).toMatchObject({
    summary:
      "Changed 2 ImageInvert muted. Still unconnected: 3.images gets nothing: 2 ImageInvert is muted; bypass hands on 1.IMAGE.",
  });
  expect(await edit({ op: "mute", nodes: ["5"] })).toMatchObject({
    data: { stillUnconnected: ["6.images gets nothing: 5 VAEDecode is muted"] },
  });
});
