import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { ActionIcon, Alert, Button, Group, Skeleton, Tabs, Tooltip } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { flows, routing } from '#contract';
import {
  bindFieldErrors,
  confirm,
  formatPhoneNumber,
  Hidden,
  isTyping,
  lazyComponent,
  Page,
  StatusBadge,
  t,
  useFilters,
  usePermission,
  useApiMutation,
  useUnsavedGuard,
} from '#ui';
import { toRequest, draftErrors, withoutEmptyRows, type Draft } from '../draft.ts';
import {
  addStep,
  removeStep,
  type EditResult,
  type InsertPoint,
  type PaletteItem,
} from './edit.ts';
import css from './FlowEditor.module.css';
import { draftFromFlow, testTimesOf, toSpokenFlow } from './flow-draft.ts';
import { graphOf } from './graph.ts';
import { highlightPath } from './highlight-path.ts';
import { Palette } from './Palette.tsx';
import { useHistory } from './use-history.ts';

const StepPanel = lazyComponent(async () => (await import('./StepPanel.tsx')).StepPanel);
const Versions = lazyComponent(async () => (await import('./Versions.tsx')).Versions);
const FlowDescription = lazyComponent(
  async () => (await import('./FlowDescription.tsx')).FlowDescription,
);
const FlowList = lazyComponent(async () => (await import('./FlowList.tsx')).FlowList);

const CallSimulator = lazyComponent(
  async () => (await import('../CallSimulator.tsx')).CallSimulator,
);

const Canvas = lazy(() => import('./Canvas.tsx'));
const views = ['canvas', 'list', 'words', 'versions'] as const;

/** One number's call flow, edited as a draft: the drawing and the list are two views of the same form. */
export function FlowEditor({
  flow,
  number,
  label,
}: {
  flow: flows.NumberFlow;
  number: string;
  label: string;
}) {
  const mayEdit = usePermission('numbers.configure');
  const id = flow.number_id;
  const stored = flow.draft ?? flow.published;
  const form = useForm<Draft>({ initialValues: draftFromFlow(stored), validate: draftErrors });
  const draft = form.values;
  const put = (next: Draft): void => form.setValues(next);
  const history = useHistory(draft, put);
  const { filters, set } = useFilters({ view: 'canvas' });
  const view = views.find((one) => one === filters.view) ?? 'canvas';
  const [selected, setSelected] = useState<string | null>(null);
  const [side, setSide] = useState<'step' | 'try'>('step');
  const [played, setPlayed] = useState<routing.SimulationAnswer | null>(null);
  const [announcement, setAnnouncement] = useState('');
  // The draft's revision this form began from; null = there was none.
  const base = useRef(flow.draft?.revision ?? null);
  const dirty = form.isDirty();
  useUnsavedGuard(dirty);

  const takeOver = (next: flows.NumberFlow): void => {
    const fresh = draftFromFlow(next.draft ?? next.published);
    base.current = next.draft?.revision ?? null;
    form.setInitialValues(fresh);
    form.setValues(fresh);
    form.resetDirty(fresh);
    form.clearErrors();
    history.forget(fresh);
    setPlayed(null);
    setSelected(null);
  };
  const theirs = (flow.draft?.revision ?? null) !== base.current;
  // Somebody else saved or published: taken over unless this form holds changes of its own.
  useEffect(() => {
    if (theirs && !form.isDirty()) takeOver(flow);
  }, [flow.draft?.revision, flow.published.version]);

  const about = useMemo(
    () => ({ number: formatPhoneNumber(number), people: flow.people }),
    [number, flow.people],
  );
  const text = JSON.stringify(draft);
  const graph = useMemo(() => graphOf(draft, about), [text, about]);
  const highlight = useMemo(
    () => (played === null ? null : highlightPath(played.steps, graph, draft)),
    [played, graph],
  );
  const changes = useMemo(
    () =>
      flows.flowChanges(
        toSpokenFlow(draftFromFlow(flow.published)),
        toSpokenFlow(draft),
        flow.people,
      ),
    [text, flow.published],
  );
  // What was tried is no longer what is shown.
  const triedText = useRef('');
  useEffect(() => {
    if (played !== null && triedText.current !== text) setPlayed(null);
  }, [text]);

  const step = graph.steps.find((one) => one.id === selected) ?? null;
  const link = graph.links.find((one) => one.id === selected) ?? null;
  const select = (to: string | null): void => {
    setSelected(to);
    if (to !== null) setSide('step');
  };
  const edit = (edited: EditResult): void => {
    put(edited.draft);
    select(edited.selectedId);
    setAnnouncement(edited.announcement);
  };
  const add = (item: PaletteItem, insertPoint: InsertPoint): void =>
    edit(addStep(form.getValues(), item, insertPoint));
  const remove = (which: string): void => edit(removeStep(form.getValues(), which));

  const wrongFields = bindFieldErrors(form);
  const showWrong = (error: Parameters<typeof wrongFields>[0]): string[] => {
    const taken = wrongFields(error);
    const at = /^routes\.(\d+)/.exec(taken[0] ?? '');
    const route = at === null ? undefined : form.getValues().routes[Number(at[1])];
    if (route)
      select(
        /business_hours|after_hours/.test(taken[0] ?? '')
          ? `hours:${route.key}`
          : `route:${route.key}`,
      );
    return taken;
  };
  const keep = useApiMutation(flows.saveFlowDraft, {
    onFieldErrors: showWrong,
    invalidates: [flows.getFlow],
  });
  const publishing = useApiMutation(flows.publishFlow, {
    onFieldErrors: showWrong,
    invalidates: [flows.getFlow, flows.listFlowVersions, routing.getNumber],
    silent: (error) => error.code === 'flow.published_meanwhile',
    success: (response) => t('Version {n} is live', { n: response.data.published.version }),
    onSuccess: ({ data }) => takeOver(data),
  });
  const discarding = useApiMutation(flows.discardFlowDraft, {
    invalidates: [flows.getFlow],
    success: t('Draft discarded'),
  });

  /** Stores what is shown as the draft; null when it was refused. */
  const save = async (): Promise<flows.NumberFlow | null> => {
    const tidy = withoutEmptyRows(form.getValues());
    const wrong = draftErrors(tidy);
    form.setValues(tidy);
    if (Object.keys(wrong).length > 0) {
      form.setErrors(wrong);
      const route =
        tidy.routes[Number(/^routes\.(\d+)/.exec(Object.keys(wrong)[0] ?? '')?.[1] ?? -1)];
      if (route) select(`route:${route.key}`);
      return null;
    }
    const response = await keep.mutate({
      params: { id },
      body: { ...toRequest(tidy), revision: base.current },
    });
    if (response === null) return null;
    base.current = response.data.draft?.revision ?? null;
    form.resetDirty(form.getValues());
    setAnnouncement(t('Draft saved'));
    return response.data;
  };
  const publish = async (): Promise<void> => {
    if ((dirty || flow.draft === null) && (await save()) === null) return;
    const body = { revision: base.current };
    if ((await publishing.mutate({ params: { id }, body })) !== null) return;
    const now = flow.published;
    if (
      flow.draft !== null &&
      now.version > flow.draft.based_on &&
      (await confirm({
        title: t('Replace version {n}?', { n: now.version }),
        body: t(
          '{name} published version {n} after this draft was started: {summary} Publishing replaces it.',
          { name: now.published_by ?? t('Someone'), n: now.version, summary: now.summary },
        ),
        confirmLabel: t('Publish anyway'),
      }))
    )
      await publishing.mutate({ params: { id }, body: { ...body, over: now.version } });
  };
  const discard = async (): Promise<void> => {
    if (
      !(await confirm({
        title: t('Discard the draft?'),
        body: t('The editor goes back to the live flow. Calls aren’t affected.'),
        confirmLabel: t('Discard'),
      }))
    )
      return;
    if (flow.draft !== null && (await discarding.mutate({ params: { id } })) === null) return;
    takeOver({ ...flow, draft: null });
  };

  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.metaKey || event.ctrlKey) || event.altKey || !mayEdit) return;
      const key = event.key.toLowerCase();
      if (key === 's') {
        event.preventDefault();
        void save();
      }
      if ((key !== 'z' && key !== 'y') || isTyping(event.target)) return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) history.redo();
      else history.undo();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  });

  const isDraft = dirty || flow.draft !== null;
  const destinations = useMemo(
    () => [
      ...new Map(
        graph.steps
          .flatMap((one) => one.rows)
          .concat(
            draft.routes.flatMap((route) =>
              route.forwards.map((one) => ({
                key:
                  one.user_id === null
                    ? (routing.destinationNumber(one.number) ?? '')
                    : `user:${one.user_id}`,
                name:
                  one.user_id === null ? one.label || one.number : (flow.people[one.user_id] ?? ''),
                about: '',
              })),
            ),
          )
          .filter((one) => one.key !== '')
          .map((one) => [one.key, one]),
      ).values(),
    ],
    [graph],
  );
  const insertPoint: InsertPoint = link
    ? { from: link.from, to: link.to }
    : step
      ? { step: step.id }
      : null;
  const tabs = [
    ['canvas', t('Canvas')],
    ['list', t('List')],
    ['words', t('Summary')],
    ['versions', t('Versions')],
  ] as const;
  const editing = view === 'canvas' || view === 'list';

  return (
    <Page
      title={t('Call flow')}
      back={{ href: `/numbers/${id}`, label: label || formatPhoneNumber(number) }}
      layout="fill"
      aside={
        <StatusBadge tone={isDraft ? 'warn' : 'success'}>
          {dirty
            ? t('Unsaved draft')
            : flow.draft
              ? t('Draft')
              : flow.published.version > 0
                ? t('Live, version {n}', { n: flow.published.version })
                : t('Live')}
        </StatusBadge>
      }
      description={
        isDraft ? t('Calls follow the published flow until you publish this draft.') : undefined
      }
      action={
        mayEdit && (
          <Group gap="xs" className={css.actions ?? ''}>
            <Tooltip label={t('Undo')}>
              <ActionIcon
                variant="default"
                size={36}
                aria-label={t('Undo')}
                aria-disabled={!history.canUndo}
                onClick={history.undo}
              >
                <IconArrowBackUp size={16} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label={t('Redo')}>
              <ActionIcon
                variant="default"
                size={36}
                aria-label={t('Redo')}
                aria-disabled={!history.canRedo}
                onClick={history.redo}
              >
                <IconArrowForwardUp size={16} />
              </ActionIcon>
            </Tooltip>
            <Button variant="default" disabled={!isDraft} onClick={() => void discard()}>
              {t('Discard')}
            </Button>
            <Button
              variant="default"
              disabled={!dirty}
              loading={keep.isPending}
              onClick={() => void save()}
            >
              {t('Save draft')}
            </Button>
            <Button
              disabled={!isDraft}
              loading={publishing.isPending}
              onClick={() => void publish()}
            >
              {t('Publish')}
            </Button>
          </Group>
        )
      }
    >
      <Hidden>
        <span aria-live="polite">{announcement}</span>
      </Hidden>
      <div className={css.editor} data-editing={editing || undefined}>
        <div className={css.main}>
          {theirs && dirty && (
            <Alert
              color="yellow"
              title={
                flow.draft
                  ? t('{name} just changed this draft', { name: flow.draft.edited_by })
                  : t('This draft was just published or discarded')
              }
            >
              <Group gap="xs">
                <Button size="compact-sm" variant="default" onClick={() => takeOver(flow)}>
                  {t('Show theirs')}
                </Button>
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => {
                    base.current = flow.draft?.revision ?? null;
                    setAnnouncement(t('Yours is kept. Saving replaces theirs.'));
                  }}
                >
                  {t('Keep mine')}
                </Button>
              </Group>
            </Alert>
          )}
          <Tabs
            value={view}
            onChange={(to) => set({ view: to ?? 'canvas' })}
            className={css.tabs ?? ''}
            keepMounted={false}
          >
            <Tabs.List className={css.noPrint ?? ''}>
              {tabs.map(([key, name]) => (
                <Tabs.Tab key={key} value={key}>
                  {name}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {editing && mayEdit && (
              <Palette onAdd={(item) => add(item, insertPoint)} at={step?.title ?? null} />
            )}
            <Tabs.Panel value="canvas" className={css.view ?? ''}>
              <Suspense fallback={<Skeleton height="100%" mih={420} />}>
                <Canvas
                  graph={graph}
                  highlight={highlight}
                  selected={selected}
                  mayEdit={mayEdit}
                  onSelect={select}
                  onDrop={add}
                  onRemove={remove}
                />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="list" className={css.view ?? ''}>
              <FlowList
                graph={graph}
                highlight={highlight}
                selected={selected}
                mayEdit={mayEdit}
                onSelect={select}
                onRemove={remove}
              />
            </Tabs.Panel>
            <Tabs.Panel value="words" className={css.view ?? ''}>
              <FlowDescription
                flow={toSpokenFlow(draft)}
                people={flow.people}
                number={formatPhoneNumber(number)}
                changes={changes}
              />
            </Tabs.Panel>
            <Tabs.Panel value="versions" className={css.view ?? ''}>
              <Versions
                numberId={id}
                live={flow.published.version}
                mayEdit={mayEdit}
                hasDraft={isDraft}
                onRestored={takeOver}
              />
            </Tabs.Panel>
          </Tabs>
        </div>
        {editing && (
          <aside className={css.side} aria-label={t('Selected step')}>
            <Tabs value={side} onChange={(to) => setSide(to === 'try' ? 'try' : 'step')}>
              <Tabs.List mb="md">
                <Tabs.Tab value="step">{t('Step')}</Tabs.Tab>
                <Tabs.Tab value="try">{t('Try it')}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="step">
                <StepPanel
                  form={form}
                  step={step}
                  mayEdit={mayEdit}
                  numberId={id}
                  onRemove={remove}
                  onSelect={select}
                />
              </Tabs.Panel>
              <Tabs.Panel value="try">
                <CallSimulator
                  numberId={id}
                  unsaved
                  draft={() => toRequest(withoutEmptyRows(form.getValues())).routes}
                  menu={() => toRequest(form.getValues()).menu}
                  destinations={destinations}
                  testTimes={testTimesOf(draft, new Date())}
                  onSimulated={(done) => {
                    triedText.current = text;
                    setPlayed(done);
                  }}
                  onStep={(i) => {
                    const where = highlight?.stepByLine[i];
                    if (where) setSelected(where);
                  }}
                />
              </Tabs.Panel>
            </Tabs>
          </aside>
        )}
      </div>
    </Page>
  );
}
