import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Skeleton, Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { flows, type routing } from '#contract';
import {
  formatPhoneNumber,
  Hidden,
  isTyping,
  lazyComponent,
  Page,
  t,
  useFilters,
  usePermission,
} from '#ui';
import {
  addStep,
  removeStep,
  type EditResult,
  type InsertPoint,
  type PaletteItem,
} from './edit.ts';
import { DraftConflict, FlowActions, FlowStatus } from './FlowActions.tsx';
import css from './FlowEditor.module.css';
import { draftFromFlow, toSpokenFlow } from './flow-draft.ts';
import { FlowSide, type SideTab } from './FlowSide.tsx';
import { graphOf } from './graph.ts';
import { highlightPath } from './highlight-path.ts';
import { Palette } from './Palette.tsx';
import { useFlowDraft, type FlowDraft } from './use-flow-draft.ts';
import { useHistory, type History } from './use-history.ts';

const Versions = lazyComponent(async () => (await import('./Versions.tsx')).Versions);
const FlowDescription = lazyComponent(
  async () => (await import('./FlowDescription.tsx')).FlowDescription,
);
const FlowList = lazyComponent(async () => (await import('./FlowList.tsx')).FlowList);
const Canvas = lazy(() => import('./Canvas.tsx'));

const viewTabs = () =>
  [
    ['canvas', t('Canvas')],
    ['list', t('List')],
    ['words', t('Summary')],
    ['versions', t('Versions')],
  ] as const;
type View = ReturnType<typeof viewTabs>[number][0];

/** The view in the address; without one the canvas, and on a phone, where half of it would fit, the list. */
function useView(): [View, (view: string | null) => void] {
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const { filters, set } = useFilters({ view: '' });
  const chosen = viewTabs().find(([key]) => key === filters.view)?.[0];
  return [chosen ?? (isPhone ? 'list' : 'canvas'), (view) => set({ view: view ?? '' })];
}

/** Ctrl or Cmd with S saves, with Z undoes, with Shift+Z or Y redoes; in a text field Z and Y belong to the field. */
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

interface FlowEditorProps {
  flow: flows.NumberFlow;
  number: string;
  label: string;
}

/** One number's call flow, edited as a draft. Canvas and list are two views of the same form. */
export function FlowEditor({ flow, number, label }: FlowEditorProps) {
  const mayEdit = usePermission('numbers.configure');
  const [view, setView] = useView();
  const [selected, setSelected] = useState<string | null>(null);
  const [side, setSide] = useState<{ tab: SideTab; isOpen: boolean }>({
    tab: 'step',
    isOpen: true,
  });
  const [announcement, setAnnouncement] = useState('');
  const [tested, setTested] = useState<routing.SimulationAnswer | null>(null);
  const select = (id: string | null): void => {
    setSelected(id);
    if (id !== null) setSide({ tab: 'step', isOpen: true });
  };
  const historyRef = useRef<History | null>(null);
  const draft = useFlowDraft({
    flow,
    onSelect: select,
    onReplaced: (fresh) => {
      historyRef.current?.reset(fresh);
      setTested(null);
      setSelected(null);
    },
    announce: setAnnouncement,
  });
  const { form } = draft;
  const { values } = form;
  const history = useHistory(values, (next) => form.setValues(next));
  historyRef.current = history;
  useFlowShortcuts(mayEdit, draft, history);

  const numberText = formatPhoneNumber(number);
  const context = useMemo(
    () => ({ number: numberText, people: flow.people }),
    [numberText, flow.people],
  );
  const text = JSON.stringify(values);
  const graph = useMemo(() => graphOf(values, context), [text, context]);
  const highlight = useMemo(
    () => (tested === null ? null : highlightPath(tested.steps, graph, values)),
    [tested, graph],
  );
  // A result no longer fits a draft that changed since.
  const testedText = useRef('');
  useEffect(() => {
    if (testedText.current !== text) setTested(null);
  }, [text]);

  const step = graph.steps.find((one) => one.id === selected) ?? null;
  const apply = (edit: EditResult): void => {
    form.setValues(edit.draft);
    select(edit.selectedId);
    setAnnouncement(edit.announcement);
  };
  const add = (item: PaletteItem, insertPoint: InsertPoint): void =>
    apply(addStep(form.getValues(), item, insertPoint));
  const remove = (id: string): void => apply(removeStep(form.getValues(), id));
  const addAtSelection = (item: PaletteItem): void => {
    const link = graph.links.find((one) => one.id === selected);
    if (link) add(item, { from: link.from, to: link.to });
    else add(item, step ? { step: step.id } : null);
  };
  const isEditing = view === 'canvas' || view === 'list';
  const shared = { graph, highlight, selected, mayEdit, onSelect: select, onRemove: remove };

  return (
    <Page
      title={t('{name} – Call flow', { name: label || numberText })}
      back={{ href: `/numbers/${flow.number_id}`, label: numberText }}
      layout="fill"
      aside={<FlowStatus flow={flow} isDirty={draft.isDirty} />}
      description={
        draft.isDraft && t('Calls follow the published flow until you publish this draft.')
      }
      action={mayEdit && <FlowActions draft={draft} history={history} />}
    >
      <Hidden>
        <span aria-live="polite">{announcement}</span>
      </Hidden>
      <div
        className={css.editor}
        data-editing={isEditing || undefined}
        data-wide={!side.isOpen || undefined}
      >
        <div className={css.main}>
          <DraftConflict flow={flow} draft={draft} />
          <Tabs value={view} onChange={setView} className={css.tabs ?? ''} keepMounted={false}>
            <Tabs.List className={css.noPrint ?? ''}>
              {viewTabs().map(([key, name]) => (
                <Tabs.Tab key={key} value={key}>
                  {name}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {isEditing && mayEdit && <Palette onAdd={addAtSelection} at={step?.title ?? null} />}
            <Tabs.Panel value="canvas" className={css.view ?? ''}>
              <Suspense fallback={<Skeleton height="100%" mih={420} />}>
                <Canvas {...shared} onDrop={add} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="list" className={css.view ?? ''}>
              <FlowList {...shared} />
            </Tabs.Panel>
            <Tabs.Panel value="words" className={css.view ?? ''}>
              <Summary flow={flow} draft={draft} numberText={numberText} />
            </Tabs.Panel>
            <Tabs.Panel value="versions" className={css.view ?? ''}>
              <Versions
                numberId={flow.number_id}
                live={flow.published.version}
                mayEdit={mayEdit}
                hasDraft={draft.isDraft}
                onRestored={draft.replaceWith}
              />
            </Tabs.Panel>
          </Tabs>
        </div>
        {isEditing && (
          <FlowSide
            form={form}
            graph={graph}
            context={context}
            numberId={flow.number_id}
            mayEdit={mayEdit}
            step={step}
            tab={side.tab}
            onTab={(tab) => setSide({ tab, isOpen: true })}
            isOpen={side.isOpen}
            onOpen={(isOpen) => setSide({ ...side, isOpen })}
            onSelect={select}
            onRemove={remove}
            onSimulated={(result) => {
              testedText.current = text;
              setTested(result);
            }}
            onTestStep={(index) => {
              const id = highlight?.stepByLine[index];
              if (id) setSelected(id);
            }}
          />
        )}
      </div>
    </Page>
  );
}

function Summary({
  flow,
  draft,
  numberText,
}: {
  flow: flows.NumberFlow;
  draft: FlowDraft;
  numberText: string;
}) {
  const spoken = toSpokenFlow(draft.form.values);
  const published = toSpokenFlow(draftFromFlow(flow.published));
  return (
    <FlowDescription
      flow={spoken}
      people={flow.people}
      number={numberText}
      changes={flows.flowChanges(published, spoken, flow.people)}
    />
  );
}
