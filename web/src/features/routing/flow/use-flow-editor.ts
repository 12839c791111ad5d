import { useEffect, useMemo, useRef, useState } from 'react';
import type { flows, routing } from '#contract';
import { formatPhoneNumber, isTyping, usePermission } from '#ui';
import type { Draft } from '../draft.ts';
import {
  addStep,
  removeStep,
  type EditResult,
  type InsertPoint,
  type PaletteItem,
} from './edit.ts';
import { graphOf, type FlowGraph } from './graph.ts';
import { highlightPath } from './highlight-path.ts';
import { useFlowDraft, type FlowDraft, type FlowDraftOptions } from './use-flow-draft.ts';
import { useHistory, type History } from './use-history.ts';

type SideTab = 'step' | 'try';

/** The selected step or link, and the side panel, which opens with it. */
function useSelection() {
  const [selected, setSelected] = useState<string | null>(null);
  const [side, setSide] = useState<{ tab: SideTab; isOpen: boolean }>({
    tab: 'step',
    isOpen: true,
  });
  const select = (id: string | null): void => {
    setSelected(id);
    if (id !== null) setSide({ tab: 'step', isOpen: true });
  };
  return { selected, setSelected, select, side, setSide };
}

/** The draft and its undo steps; a draft that is replaced starts without any. */
function useUndoableDraft(options: FlowDraftOptions) {
  const historyRef = useRef<History | null>(null);
  const draft = useFlowDraft({
    ...options,
    onReplaced: (fresh) => {
      historyRef.current?.reset(fresh);
      options.onReplaced(fresh);
    },
  });
  const { form } = draft;
  const history = useHistory(form.values, (next) => form.setValues(next));
  historyRef.current = history;
  return { draft, history };
}

/** The path of the last test call. It no longer fits a draft that changed since. */
function useTestedPath(graph: FlowGraph, values: Draft, text: string) {
  const [tested, setTested] = useState<routing.SimulationAnswer | null>(null);
  const testedText = useRef('');
  const highlight = useMemo(
    () => (tested === null ? null : highlightPath(tested.steps, graph, values)),
    // oxlint-disable-next-line exhaustive-deps -- the graph is that of the values
    [tested, graph],
  );
  useEffect(() => {
    if (testedText.current !== text) setTested(null);
  }, [text]);
  const keep = (result: routing.SimulationAnswer): void => {
    testedText.current = text;
    setTested(result);
  };
  return { highlight, keep, forget: () => setTested(null) };
}

/**
 * Ctrl or Cmd with S saves, with Z undoes, with Shift+Z or Y redoes; in a text field Z and Y belong
 * to the field.
 */
function useFlowShortcuts(mayEdit: boolean, draft: FlowDraft, history: History): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.metaKey || event.ctrlKey) || event.altKey || !mayEdit) return;
      const key = event.key.toLowerCase();
      if (key === 's') {
        event.preventDefault();
        void draft.save();
      }
      if ((key !== 'z' && key !== 'y') || isTyping(event.target)) return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) history.redo();
      else history.undo();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  });
}

/**
 * A call flow while it is edited: its draft and graph, what is selected, and the last test call.
 */
export function useFlowEditor(flow: flows.NumberFlow, number: string) {
  const mayEdit = usePermission('numbers.configure');
  const { selected, setSelected, select, side, setSide } = useSelection();
  const [announcement, announce] = useState('');
  const { draft, history } = useUndoableDraft({
    flow,
    onSelect: select,
    onReplaced: () => {
      test.forget();
      setSelected(null);
    },
    announce,
  });
  useFlowShortcuts(mayEdit, draft, history);
  const { form } = draft;
  const context = useMemo(
    () => ({ number: formatPhoneNumber(number), people: flow.people, teams: flow.teams }),
    [number, flow.people, flow.teams],
  );
  const text = JSON.stringify(form.values);
  // oxlint-disable-next-line exhaustive-deps -- `text` is the values
  const graph = useMemo(() => graphOf(form.values, context), [text, context]);
  const test = useTestedPath(graph, form.values, text);
  const step = graph.steps.find((one) => one.id === selected) ?? null;

  const apply = (edit: EditResult): void => {
    form.setValues(edit.draft);
    select(edit.selectedId);
    announce(edit.announcement);
  };
  const add = (item: PaletteItem, insertPoint: InsertPoint): void =>
    apply(addStep(form.getValues(), item, insertPoint));
  return {
    numberId: flow.number_id,
    mayEdit,
    draft,
    history,
    announcement,
    context,
    graph,
    highlight: test.highlight,
    keepTest: test.keep,
    selected,
    /** The selected step; null while a link or nothing is selected. */
    step,
    /** Selects a step or link and opens its form. */
    select,
    /** Selects a step while the side panel stays as it is. */
    setSelected,
    side,
    setSide,
    add,
    addAtSelection: (item: PaletteItem): void => {
      const link = graph.links.find((one) => one.id === selected);
      if (link) add(item, { from: link.from, to: link.to });
      else add(item, step ? { step: step.id } : null);
    },
    remove: (id: string): void => apply(removeStep(form.getValues(), id)),
  };
}
export type FlowEditorState = ReturnType<typeof useFlowEditor>;
