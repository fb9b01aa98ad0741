import { useEffect, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import type { SkillSummary } from "../api/replies";

/** The skills to complete; asked for when somebody begins to type the command, again on each new beginning. */
export function useSkills(api: AssistantApi, wanted: boolean): readonly SkillSummary[] {
  const [skills, setSkills] = useState<readonly SkillSummary[]>([]);
  useEffect(() => {
    if (!wanted) return;
    let current = true;
    api.skills().then(
      (found) => current && setSkills(found),
      () => {},
    );
    return () => {
      current = false;
    };
  }, [api, wanted]);
  return skills;
}
