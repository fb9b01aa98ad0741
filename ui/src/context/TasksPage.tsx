import { useCallback } from "react";
import type { ContextApi } from "../api/contextApi";
import { readTasks } from "../api/sentRequests";
import { Fold } from "../ui/Fold";
import { LongText } from "../ui/LongText";
import { SentMessages } from "./SentMessages";
import { asText } from "./sentMessages";
import { describeTask, type TaskNode, taskTree } from "./taskTree";
import { useLoaded, WhenLoaded } from "./useLoaded";

/** Tasks that the assistant gave to a model with a context of its own, as a tree. */
export function TasksPage({ api, threadId }: { api: ContextApi; threadId: string }) {
  const loading = useLoaded(useCallback(() => readTasks(api.client, threadId), [api, threadId]));
  return (
    <WhenLoaded loading={loading}>
      {(tasks) =>
        tasks.length === 0 ? (
          <p className="cass-quiet">The assistant has not delegated a task in this chat.</p>
        ) : (
          <Tasks nodes={taskTree(tasks)} />
        )
      }
    </WhenLoaded>
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
