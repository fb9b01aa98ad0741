import { editWorkflow } from "../editWorkflow";
import { type TestCalls, testCalls } from "./testCall";

/** An image, inverted and saved: nodes 1 to 3. */
export const chain = () =>
  testCalls(["EmptyImage", "ImageInvert", "SaveImage"], ["1.IMAGE>2.image", "2.IMAGE>3.images"]);

export const edit = ({ call }: TestCalls, ...operations: unknown[]) => call(editWorkflow, { operations });
