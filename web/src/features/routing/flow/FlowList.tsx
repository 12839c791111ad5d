import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { t } from '#ui';
import { removeBlockReason } from './edit.ts';
import css from './FlowEditor.module.css';
import type { FlowGraph, FlowStep } from './graph.ts';
import { StepIcon } from './icons.tsx';
import type { PathHighlight } from './highlight-path.ts';

interface FlowListProps {
  graph: FlowGraph;
  highlight: PathHighlight | null;
  selected: string | null;
  mayEdit: boolean;
  onSelect: (id: string) => void;
  onRemove: (id: string) => void;
}

/**
 * Steps in the order callers meet them, each with the link that leads to it, indented below its
 * route.
 */
function ordered(graph: FlowGraph): FlowStep[] {
  const general = graph.steps.filter((step) => step.route === null && step.id !== 'nobody');
  const routes = [...new Set(graph.steps.flatMap((step) => step.route ?? []))];
  return [
    ...general,
    ...routes.flatMap((key) => graph.steps.filter((step) => step.route === key)),
    ...graph.steps.filter((step) => step.id === 'nobody'),
  ];
}

/**
 * The canvas's flow as an ordered list for keyboard use: arrow keys move, Enter opens, Delete
 * removes.
 */
export function FlowList({
  graph,
  highlight,
  selected,
  mayEdit,
  onSelect,
  onRemove,
}: FlowListProps) {
  const steps = ordered(graph);
  const move = (event: React.KeyboardEvent<HTMLElement>, by: number): void => {
    event.preventDefault();
    const all = [
      ...(event.currentTarget
        .closest('ol')
        ?.querySelectorAll<HTMLButtonElement>('button[data-step]') ?? []),
    ];
    all[all.indexOf(event.currentTarget as HTMLButtonElement) + by]?.focus();
  };
  return (
    <ol className={css.list} aria-label={t('Steps of the call flow')}>
      {steps.map((step) => {
        const way = graph.links.find((link) => link.to === step.id)?.label ?? '';
        const on = graph.links
          .filter(
            (link) =>
              link.from === step.id &&
              graph.steps.find((one) => one.id === link.to)?.kind === 'route' &&
              step.kind !== 'menu' &&
              step.kind !== 'screen',
          )
          .map(
            (link) =>
              `${link.label}: ${graph.steps.find((one) => one.id === link.to)?.title ?? ''}`,
          );
        const reasons = highlight?.steps.get(step.id);
        return (
          <li
            key={step.id}
            className={css.item}
            data-inner={(step.route !== null && step.kind !== 'route') || undefined}
            data-lit={reasons !== undefined || undefined}
            data-selected={selected === step.id || undefined}
          >
            <button
              type="button"
              data-step={step.id}
              aria-current={selected === step.id ? 'step' : undefined}
              className={css.itemButton}
              onClick={() => onSelect(step.id)}
              onKeyDown={(event) => {
                if (event.key === 'ArrowDown') move(event, 1);
                else if (event.key === 'ArrowUp') move(event, -1);
                else if (mayEdit && event.key === 'Delete') onRemove(step.id);
              }}
            >
              <StepIcon kind={step.kind} />
              <span className={css.itemWords}>
                <span>
                  {way !== '' && <small>{way}: </small>}
                  <strong>{step.title}</strong> <small>{step.about}</small>
                </span>
                {step.rows.map((row, i) => (
                  <small
                    key={`${row.key}-${i}`}
                    data-lit={highlight?.rows.has(`${step.id}|${row.key}`) || undefined}
                  >
                    {row.name}
                    {row.about && `, ${row.about}`}
                  </small>
                ))}
                {on.map((words) => (
                  <small key={words}>{words}</small>
                ))}
                {reasons?.map((reason, i) => (
                  <small key={i} className={css.because}>
                    {reason}
                  </small>
                ))}
              </span>
            </button>
            {mayEdit &&
              removeBlockReason(step.id) === null &&
              (step.kind !== 'end' || step.title === t('Voicemail')) && (
                <ActionIcon
                  aria-label={t('Remove {name}', { name: step.title })}
                  onClick={() => onRemove(step.id)}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              )}
          </li>
        );
      })}
    </ol>
  );
}
