import { lazy, Suspense } from 'react';
import { Skeleton, Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { flows } from '#contract';
import { Hidden, lazyComponent, Page, t, useFilters } from '#ui';
import { FlowActions, FlowStatus } from './FlowActions.tsx';
import css from './FlowEditor.module.css';
import { draftFromFlow, toSpokenFlow } from './flow-draft.ts';
import { FlowSide } from './FlowSide.tsx';
import { Palette } from './Palette.tsx';
import { useFlowEditor, type FlowEditorState } from './use-flow-editor.ts';

const DraftConflict = lazyComponent(
  async () => (await import('./DraftConflict.tsx')).DraftConflict,
);
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

interface FlowEditorProps {
  flow: flows.NumberFlow;
  number: string;
  label: string;
}

/** One number's call flow, edited as a draft. Canvas and list are two views of the same form. */
export function FlowEditor({ flow, number, label }: FlowEditorProps) {
  const editor = useFlowEditor(flow, number);
  const [view, setView] = useView();
  const { draft, context } = editor;
  const isEditing = view === 'canvas' || view === 'list';
  return (
    <Page
      title={t('{name} – Call flow', { name: label || context.number })}
      back={{ href: `/numbers/${flow.number_id}`, label: context.number }}
      layout="fill"
      aside={<FlowStatus flow={flow} isDirty={draft.isDirty} />}
      description={
        draft.isDraft && t('Calls follow the published flow until you publish this draft.')
      }
      action={editor.mayEdit && <FlowActions draft={draft} history={editor.history} />}
    >
      <Hidden>
        <span aria-live="polite">{editor.announcement}</span>
      </Hidden>
      <div
        className={css.editor}
        data-editing={isEditing || undefined}
        data-wide={!editor.side.isOpen || undefined}
      >
        <div className={css.main}>
          {draft.isOutdated && draft.isDirty && <DraftConflict flow={flow} draft={draft} />}
          <Tabs value={view} onChange={setView} className={css.tabs ?? ''} keepMounted={false}>
            <Tabs.List className={css.noPrint ?? ''}>
              {viewTabs().map(([key, name]) => (
                <Tabs.Tab key={key} value={key}>
                  {name}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {isEditing && editor.mayEdit && (
              <Palette onAdd={editor.addAtSelection} at={editor.step?.title ?? null} />
            )}
            <ViewPanels flow={flow} editor={editor} />
          </Tabs>
        </div>
        {isEditing && <FlowSide editor={editor} />}
      </div>
    </Page>
  );
}

interface ViewProps {
  flow: flows.NumberFlow;
  editor: FlowEditorState;
}

function ViewPanels({ flow, editor }: ViewProps) {
  const { draft, graph, highlight, selected, mayEdit } = editor;
  const shared = {
    graph,
    highlight,
    selected,
    mayEdit,
    onSelect: editor.select,
    onRemove: editor.remove,
  };
  return (
    <>
      <Tabs.Panel value="canvas" className={css.view ?? ''}>
        <Suspense fallback={<Skeleton height="100%" mih={420} />}>
          <Canvas {...shared} onDrop={editor.add} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="list" className={css.view ?? ''}>
        <FlowList {...shared} />
      </Tabs.Panel>
      <Tabs.Panel value="words" className={css.view ?? ''}>
        <Summary flow={flow} editor={editor} />
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
    </>
  );
}

function Summary({ flow, editor: { draft, context } }: ViewProps) {
  return (
    <FlowDescription
      flow={toSpokenFlow(draft.form.values)}
      published={toSpokenFlow(draftFromFlow(flow.published))}
      people={flow.people}
      number={context.number}
    />
  );
}
