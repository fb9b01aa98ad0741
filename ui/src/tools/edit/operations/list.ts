/** Every operation of a batch, in the order in which a model sees them. */

import type { Operation } from "../operation";
import { add } from "./add";
import { color } from "./color";
import { connect } from "./connect";
import { demote } from "./demote";
import { disconnect } from "./disconnect";
import { expandSubgraph } from "./expandSubgraph";
import { group } from "./group";
import { insert } from "./insert";
import { makeSubgraph } from "./makeSubgraph";
import { mode } from "./mode";
import { move } from "./move";
import { promote } from "./promote";
import { remove } from "./remove";
import { replace } from "./replace";
import { set } from "./set";
import { title } from "./title";

export const operations: readonly Operation[] = [
  add,
  remove,
  connect,
  disconnect,
  set,
  replace,
  insert,
  move,
  mode,
  title,
  color,
  group,
  makeSubgraph,
  expandSubgraph,
  promote,
  demote,
];
