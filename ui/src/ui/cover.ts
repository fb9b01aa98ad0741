interface Coverable {
  inert: boolean;
}

/** Takes what lies beside a view, and so under it, out of reach of the keyboard; returns what gives it back. */
export function cover(view: object, beside: Iterable<object>): () => void {
  const covered: Coverable[] = [];
  for (const each of beside)
    if (each !== view && "inert" in each && !each.inert) {
      (each as Coverable).inert = true;
      covered.push(each as Coverable);
    }
  return () => {
    for (const each of covered) each.inert = false;
  };
}
