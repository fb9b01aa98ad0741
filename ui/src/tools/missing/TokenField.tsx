import { type Store, useStore } from "../../shared/store";

/** Goes to the server and never comes back. */
export function TokenField({ token, host }: { token: Store<string>; host: string }) {
  return (
    <input
      className="cass-field"
      type="password"
      autoComplete="off"
      aria-label={`Token for ${host}`}
      value={useStore(token)}
      onChange={(event) => token.set(event.target.value.trim())}
    />
  );
}
