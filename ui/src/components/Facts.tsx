import css from './Facts.module.css';

/** Names with their values, aligned. */
export function Facts({
  rows,
}: {
  rows: readonly (readonly [string, React.ReactNode] | null | false)[];
}) {
  return (
    <dl className={css.facts}>
      {rows
        .filter((r) => r !== null && r !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
