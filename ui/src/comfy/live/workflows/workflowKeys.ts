/** Names for open workflows: a path goes on to another tab after closing one, and changes when it is saved. */

export function createWorkflowKeys(): (workflow: object) => string {
  const keys = new WeakMap<object, string>();
  let count = 0;
  return (workflow) => {
    const key = keys.get(workflow) ?? `workflow-${++count}`;
    keys.set(workflow, key);
    return key;
  };
}
