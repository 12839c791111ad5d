import { Handle, Position, type Node, type NodeProps } from '@xyflow/react';
import { t } from '#ui';
import css from './Canvas.module.css';
import type { FlowStep } from './graph.ts';
import { StepIcon } from './icons.tsx';
import { shownRows } from './layout.ts';

export type StepNode = Node<
  {
    step: FlowStep;
    /** Why the test call came here; undefined when it did not. */
    reasons: string[] | undefined;
    /** Destinations the test call rang, as `step id|destination key`. */
    rungRows: ReadonlySet<string>;
    isTested: boolean;
    isDropTarget: boolean;
  },
  'step'
>;

const hidden = { className: css.handle ?? '', isConnectable: false };

/** One step on the canvas: what it is, whom it rings, and why a test call came here. */
export function StepBox({ data, selected }: NodeProps<StepNode>) {
  const { step, reasons } = data;
  const { rows, more } = shownRows(step);
  const wasReached = reasons !== undefined;
  const reason = reasons?.at(-1);
  return (
    <div
      className={css.step}
      data-kind={step.kind}
      data-selected={selected || undefined}
      data-lit={wasReached || undefined}
      data-dim={(data.isTested && !wasReached) || undefined}
      data-over={data.isDropTarget || undefined}
    >
      <Handle id="top" type="target" position={Position.Top} {...hidden} />
      <div className={css.title}>
        <StepIcon kind={step.kind} />
        <span>{step.title}</span>
      </div>
      <div className={css.about}>{step.about}</div>
      {rows.length > 0 && (
        <ul className={css.rows}>
          {rows.map((row, i) => (
            <li
              key={`${row.key}-${i}`}
              data-lit={data.rungRows.has(`${step.id}|${row.key}`) || undefined}
            >
              <span>{row.name}</span>
              <span>{row.about}</span>
            </li>
          ))}
          {more > 0 && (
            <li>
              <span>{t('and {n} more', { n: more })}</span>
              <span />
            </li>
          )}
        </ul>
      )}
      {reason !== undefined && (
        <div className={css.reason} title={reasons?.join('\n')}>
          {reason}
        </div>
      )}
      <Handle id="bottom" type="source" position={Position.Bottom} {...hidden} />
      <Handle id="right" type="source" position={Position.Right} {...hidden} />
    </div>
  );
}
