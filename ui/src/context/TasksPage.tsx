import { useCallback } from "react";
import type { ContextApi } from "../api/contextApi";
import { readTasks } from "../api/sentRequests";
import { Fold } from "../ui/Fold";
import { LongText } from "../ui/LongText";
import { Loaded } from "../ui/Page";
import { useResource } from "../ui/useResource";
import { SentMessages } from "./SentMessages";
import { asText } from "./sentMessages";
import { describeTask, type TaskNode, taskTree } from "./taskTree";

/** Tasks that the assistant gave to a model with a context of its own, as a tree. */
export function TasksPage({ api, threadId }: { api: ContextApi; threadId: string }) {
  const tasks = useResource(useCallback(() => readTasks(api.client, threadId), [api, threadId]));
  return (
    <Loaded of={tasks}>
      {(all) =>
        all.length === 0 ? (
          <p className="cass-quiet">The assistant has not delegated a task in this chat.</p>
        ) : (
          <Tasks nodes={taskTree(all)} />
        )
      }
    </Loaded>
  );
}

function Tasks({ nodes }: { nodes: readonly TaskNode[] }) {
  return (
    <ul className="cass-list cass-tasks">
      {nodes.map(({ task, children }) => (
        <li key={task.id}>
          <Fold
            line={
              <>
                <span>{task.task}</span>
                <small data-status={task.status}>{describeTask(task)}</small>
              </>
            }
          >
            {task.result !== undefined && task.result !== null && (
              <LongText label="Result" text={asText(task.result)} />
            )}
            {task.messages && <SentMessages messages={task.messages} />}
          </Fold>
          {children.length > 0 && <Tasks nodes={children} />}
        </li>
      ))}
    </ul>
  );
}
