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

/** The routes that a step leads to and when, such as "Key 1: Sales". */
function routeLabels({ steps, links }: FlowGraph, step: FlowStep): string[] {
  if (step.kind === 'menu' || step.kind === 'screen') return [];
  return links.flatMap((link) => {
    if (link.from !== step.id) return [];
    const target = steps.find((one) => one.id === link.to);
    return target?.kind === 'route' ? [`${link.label}: ${target.title}`] : [];
  });
}

/** Moves the focus by a number of steps. */
function moveFocus(event: React.KeyboardEvent<HTMLButtonElement>, by: number): void {
  event.preventDefault();
  const list = event.currentTarget.closest('ol');
  const all = [...(list?.querySelectorAll<HTMLButtonElement>('button[data-step]') ?? [])];
  all[all.indexOf(event.currentTarget) + by]?.focus();
}

/**
 * The canvas's flow as an ordered list for keyboard use: arrow keys move, Enter opens, Delete
 * removes.
 */
export function FlowList(props: FlowListProps) {
  return (
    <ol className={css.list} aria-label={t('Steps of the call flow')}>
      {ordered(props.graph).map((step) => (
        <StepItem key={step.id} {...props} step={step} />
      ))}
    </ol>
  );
}

function StepItem(props: FlowListProps & { step: FlowStep }) {
  const { graph, highlight, selected, mayEdit, onSelect, onRemove, step } = props;
  const isSelected = selected === step.id;
  const mayRemove =
    mayEdit &&
    removeBlockReason(step.id) === null &&
    (step.kind !== 'end' || step.title === t('Voicemail'));
  return (
    <li
      className={css.item}
      data-inner={(step.route !== null && step.kind !== 'route') || undefined}
      data-lit={highlight?.steps.has(step.id) || undefined}
      data-selected={isSelected || undefined}
    >
      <button
        type="button"
        data-step={step.id}
        aria-current={isSelected ? 'step' : undefined}
        className={css.itemButton}
        onClick={() => onSelect(step.id)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') moveFocus(event, 1);
          else if (event.key === 'ArrowUp') moveFocus(event, -1);
          else if (mayEdit && event.key === 'Delete') onRemove(step.id);
        }}
      >
        <StepIcon kind={step.kind} />
        <StepText graph={graph} highlight={highlight} step={step} />
      </button>
      {mayRemove && (
        <ActionIcon
          aria-label={t('Remove {name}', { name: step.title })}
          onClick={() => onRemove(step.id)}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </li>
  );
}

/**
 * A step in words: how callers get here, what it does, where it leads, and why a test call came by.
 */
function StepText({
  graph,
  highlight,
  step,
}: Pick<FlowListProps, 'graph' | 'highlight'> & { step: FlowStep }) {
  const way = graph.links.find((link) => link.to === step.id)?.label ?? '';
  return (
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
      {routeLabels(graph, step).map((words) => (
        <small key={words}>{words}</small>
      ))}
      {highlight?.steps.get(step.id)?.map((reason, i) => (
        <small key={i} className={css.because}>
          {reason}
        </small>
      ))}
    </span>
  );
}
