import { ActionIcon, Tabs } from '@mantine/core';
import { IconLayoutSidebarRightCollapse, IconLayoutSidebarRightExpand } from '@tabler/icons-react';
import { lazyComponent, t } from '#ui';
import css from './FlowEditor.module.css';
import type { FlowEditorState } from './use-flow-editor.ts';

const StepPanel = lazyComponent(async () => (await import('./StepPanel.tsx')).StepPanel);
const TestCall = lazyComponent(async () => (await import('./TestCall.tsx')).TestCall);

/** Beside the flow: the selected step's form, and a place to test calls. It collapses to leave the room to the canvas. */
export function FlowSide({ editor }: { editor: FlowEditorState }) {
  const { side, setSide } = editor;
  const toggle = (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={32}
      aria-expanded={side.isOpen}
      aria-label={side.isOpen ? t('Hide side panel') : t('Show side panel')}
      onClick={() => setSide({ ...side, isOpen: !side.isOpen })}
    >
      {side.isOpen ? (
        <IconLayoutSidebarRightCollapse size={18} />
      ) : (
        <IconLayoutSidebarRightExpand size={18} />
      )}
    </ActionIcon>
  );
  return (
    <aside
      className={css.side}
      data-closed={!side.isOpen || undefined}
      aria-label={t('Selected step')}
    >
      {!side.isOpen && toggle}
      {side.isOpen && (
        <Tabs
          value={side.tab}
          onChange={(to) => setSide({ tab: to === 'try' ? 'try' : 'step', isOpen: true })}
        >
          <div className={css.sideHead}>
            <Tabs.List>
              <Tabs.Tab value="step">{t('Step')}</Tabs.Tab>
              <Tabs.Tab value="try">{t('Try it')}</Tabs.Tab>
            </Tabs.List>
            {toggle}
          </div>
          <Tabs.Panel value="step">
            <StepPanel
              form={editor.draft.form}
              step={editor.step}
              mayEdit={editor.mayEdit}
              numberId={editor.numberId}
              onRemove={editor.remove}
              onSelect={editor.select}
            />
          </Tabs.Panel>
          <Tabs.Panel value="try">
            <TestCall editor={editor} />
          </Tabs.Panel>
        </Tabs>
      )}
    </aside>
  );
}
