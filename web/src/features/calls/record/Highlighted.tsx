import css from './Highlighted.module.css';

/** A text with its matches marked. `marks`: from and to, in order. */
export function Highlighted({
  text,
  marks,
}: {
  text: string;
  marks: readonly (readonly [number, number])[];
}) {
  const parts: React.ReactNode[] = [];
  let at = 0;
  for (const [from, to] of marks) {
    parts.push(
      text.slice(at, from),
      <mark key={from} className={css.mark}>
        {text.slice(from, to)}
      </mark>,
    );
    at = to;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
