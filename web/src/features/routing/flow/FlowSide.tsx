import { ActionIcon, Tabs } from '@mantine/core';
import { IconLayoutSidebarRightCollapse, IconLayoutSidebarRightExpand } from '@tabler/icons-react';
import type { routing } from '#contract';
import { lazyComponent, t } from '#ui';
import { withoutEmptyRows } from '../draft.ts';
import { toRequest } from '../draft-request.ts';
import type { DraftForm } from '../draft.ts';
import { testTimesOf } from '../test-times.ts';
import css from './FlowEditor.module.css';
import type { FlowGraph, FlowStep } from './graph.ts';
import { keyOfForward, nameOfForward, type GraphContext } from './step-text.ts';

const StepPanel = lazyComponent(async () => (await import('./StepPanel.tsx')).StepPanel);
const CallSimulator = lazyComponent(
  async () => (await import('../CallSimulator.tsx')).CallSimulator,
);

export type SideTab = 'step' | 'try';
interface FlowSideProps {
  form: DraftForm;
  graph: FlowGraph;
  context: GraphContext;
  numberId: number;
  mayEdit: boolean;
  step: FlowStep | null;
  tab: SideTab;
  onTab: (tab: SideTab) => void;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onSelect: (id: string | null) => void;
  onRemove: (id: string) => void;
  onSimulated: (result: routing.SimulationAnswer) => void;
  /** A step of the test call was pressed, by its index. */
  onTestStep: (index: number) => void;
}

/** Beside the flow: the selected step's form, and a place to test calls. It collapses to leave the room to the canvas. */
export function FlowSide(props: FlowSideProps) {
  const { form, isOpen, tab } = props;
  const toggle = (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={32}
      aria-expanded={isOpen}
      aria-label={isOpen ? t('Hide side panel') : t('Show side panel')}
      onClick={() => props.onOpen(!isOpen)}
    >
      {isOpen ? (
        <IconLayoutSidebarRightCollapse size={18} />
      ) : (
        <IconLayoutSidebarRightExpand size={18} />
      )}
    </ActionIcon>
  );
  return (
    <aside className={css.side} data-closed={!isOpen || undefined} aria-label={t('Selected step')}>
      {!isOpen && toggle}
      {isOpen && (
        <Tabs value={tab} onChange={(to) => props.onTab(to === 'try' ? 'try' : 'step')}>
          <div className={css.sideHead}>
            <Tabs.List>
              <Tabs.Tab value="step">{t('Step')}</Tabs.Tab>
              <Tabs.Tab value="try">{t('Try it')}</Tabs.Tab>
            </Tabs.List>
            {toggle}
          </div>
          <Tabs.Panel value="step">
            <StepPanel
              form={form}
              step={props.step}
              mayEdit={props.mayEdit}
              numberId={props.numberId}
              onRemove={props.onRemove}
              onSelect={props.onSelect}
            />
          </Tabs.Panel>
          <Tabs.Panel value="try">
            <CallSimulator
              numberId={props.numberId}
              unsaved
              draft={() => toRequest(withoutEmptyRows(form.getValues())).routes}
              menu={() => toRequest(form.getValues()).menu}
              destinations={destinationsOf(props)}
              testTimes={testTimesOf(form.values, new Date())}
              onSimulated={props.onSimulated}
              onStep={props.onTestStep}
            />
          </Tabs.Panel>
        </Tabs>
      )}
    </aside>
  );
}

/** Every destination of the draft once. */
function destinationsOf({ form, context }: Pick<FlowSideProps, 'form' | 'context'>) {
  const forwards = form.values.routes.flatMap((route) => route.forwards);
  const named = forwards.map((one): [string, string] => [
    keyOfForward(one),
    nameOfForward(one, context),
  ]);
  return [...new Map(named.filter(([key]) => key !== ''))].map(([key, name]) => ({ key, name }));
}
