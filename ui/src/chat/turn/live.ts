/** A response that the server makes already, to be read from its begin. */
export interface Live {
  response: string;
  /** Another page reads it, too: that one runs the calls of its tools. */
  isElsewhere: boolean;
}
