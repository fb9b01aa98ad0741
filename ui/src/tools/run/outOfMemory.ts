/** In what PyTorch and ComfyUI say of a node whose tensors did not fit, as in "OutOfMemoryError: Allocation on device". */
const outOfMemory = /OutOfMemoryError|out of memory|allocation on device|not enough memory/i;

export function isOutOfMemory(said: string): boolean {
  return outOfMemory.test(said);
}
