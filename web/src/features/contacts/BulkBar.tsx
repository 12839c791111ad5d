import { useState } from 'react';
import { Autocomplete, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconDownload, IconTag, IconTrash, IconUsersGroup } from '@tabler/icons-react';
import { contacts, groups, type Body } from '#contract';
import {
  confirm,
  toast,
  formatNumber,
  lazyComponent,
  Modal,
  showUndoToast,
  t,
  trackBatch,
  useApiQuery,
  useCompanyId,
  usePermission,
  useShortcuts,
  useApiMutation,
} from '#ui';
import { useSorting } from './use-sorting.ts';
import css from '#ui/components/selection-bar.module.css';

const ExportDialog = lazyComponent(async () => (await import('./ExportDialog.tsx')).ExportDialog);

interface BulkBarProps {
  selected: ReadonlySet<string | number>;
  total: number;
  capped: boolean;
  shown: number;
  filters: Record<string, unknown>;
  clearSelection: () => void;
}
type BulkResult = {
  data: { batchId: string; status: 'finished' | 'queued'; total: number; changed: number };
};
const invalidates = [
  contacts.listContacts,
  contacts.countContacts,
  contacts.getContact,
  groups.listGroups,
  groups.listContactLabels,
];

/** What can be done with the chosen contacts; "all that match" goes beyond this page, and everything can be undone. */
export function BulkBar({
  selected: chosen,
  total,
  capped,
  shown,
  filters,
  clearSelection: clear,
}: BulkBarProps) {
  const [everything, setEverything] = useState(false);
  const [asking, setAsking] = useState<'label' | 'unlabel' | 'group' | 'ungroup' | null>(null);
  const [exporting, setExporting] = useState(false);
  const companyId = useCompanyId() ?? 0;
  const mayEdit = usePermission('contacts.edit');
  const canBulkEdit = usePermission('contacts.bulk');
  const all = everything && (capped || total > chosen.size);
  // A long list says only "more than a thousand"; before all of them are meant, they are counted.
  const exact = useApiQuery(
    contacts.countContacts,
    { params: { companyId }, body: { filters } },
    { enabled: everything && capped, silent: true },
  ).response?.data.total;
  const count = all ? (capped ? (exact ?? total) : total) : chosen.size;
  const which = all ? { all: true, filters } : { contacts: [...chosen].map(Number) };
  const done = (): void => {
    setAsking(null);
    setEverything(false);
    clear();
  };
  const label = useApiMutation(groups.bulkAddLabel, { invalidates });
  const unlabel = useApiMutation(groups.bulkRemoveLabel, { invalidates });
  const join = useApiMutation(groups.addToGroup, { invalidates });
  const leave = useApiMutation(groups.removeFromGroup, { invalidates });
  const destroy = useApiMutation(contacts.bulkDestroyContacts, { invalidates });
  const takeBack = useApiMutation(contacts.undoBulkContacts, {
    invalidates,
    success: t('Change undone'),
  });

  const reportDone = (response: BulkResult | null, said: (n: number) => string): void => {
    if (!response) return;
    const { batchId, status } = response.data;
    if (status === 'queued')
      trackBatch({ id: batchId, label: said(response.data.total), total: response.data.total });
    else if (response.data.changed === 0) toast.neutral(t('No changes needed.'));
    else
      showUndoToast(
        said(response.data.changed),
        () => void takeBack.mutate({ params: { companyId, batchId } }),
        12_000,
      );
    done();
  };
  const remove = async (): Promise<void> => {
    if (
      !(await confirm({
        title: t('{n, plural, one {Delete # contact?} other {Delete # contacts?}}', { n: count }),
        confirmLabel: t('{n, plural, one {Delete # contact} other {Delete # contacts}}', {
          n: count,
        }),
        danger: true,
        body: t('You can restore them for 30 days. Opt-outs and blocks stay in place.'),
      }))
    )
      return;
    reportDone(
      await destroy.mutate({
        params: { companyId },
        body: which as unknown as Body<typeof contacts.bulkDestroyContacts>,
      }),
      (k) => t('{n, plural, one {# contact} other {# contacts}} deleted', { n: k }),
    );
  };
  const apply = async (target: number, name: string): Promise<void> => {
    const body = which;
    if (asking === 'label')
      reportDone(await label.mutate({ params: { companyId, labelId: target }, body }), (n) =>
        t('{n, plural, one {# contact} other {# contacts}} labeled {name}', { n, name }),
      );
    if (asking === 'unlabel')
      reportDone(await unlabel.mutate({ params: { companyId, labelId: target }, body }), (n) =>
        t('{name} removed from {n, plural, one {# contact} other {# contacts}}', { n, name }),
      );
    if (asking === 'group')
      reportDone(await join.mutate({ params: { id: target }, body }), (n) =>
        t('{n, plural, one {# contact} other {# contacts}} added to {name}', { n, name }),
      );
    if (asking === 'ungroup')
      reportDone(await leave.mutate({ params: { id: target }, body }), (n) =>
        t('{n, plural, one {# contact} other {# contacts}} removed from {name}', { n, name }),
      );
  };
  useShortcuts(
    chosen.size > 0 && mayEdit
      ? [
          {
            keys: 'l',
            label: t('Label selected contacts'),
            group: t('Contacts'),
            run: () => setAsking('label'),
          },
          {
            keys: 'shift+g',
            label: t('Add selected contacts to a group'),
            group: t('Contacts'),
            run: () => setAsking('group'),
          },
        ]
      : [],
  );
  if (chosen.size === 0) return null;
  const busy = label.isPending || unlabel.isPending || join.isPending || leave.isPending;
  return (
    <div className={css.bar} role="toolbar" aria-label={t('Selected contacts')}>
      <span className={css.count} role="status">
        {t('{n} selected', { n: formatNumber(count) })}
      </span>
      {!all && (capped || total > chosen.size) && chosen.size >= shown && (
        <Button size="compact-sm" variant="subtle" onClick={() => setEverything(true)}>
          {capped
            ? t('Select all that match')
            : t('Select all {n} that match', { n: formatNumber(total) })}
        </Button>
      )}
      {mayEdit && (
        <Menus
          icon={<IconTag size={14} aria-hidden />}
          title={t('Labels')}
          add={t('Add label')}
          away={t('Remove label')}
          onAdd={() => setAsking('label')}
          onAway={() => setAsking('unlabel')}
        />
      )}
      {mayEdit && (
        <Menus
          icon={<IconUsersGroup size={14} aria-hidden />}
          title={t('Groups')}
          add={t('Add to group')}
          away={t('Remove from group')}
          onAdd={() => setAsking('group')}
          onAway={() => setAsking('ungroup')}
        />
      )}
      {canBulkEdit && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => setExporting(true)}
        >
          {t('Export')}
        </Button>
      )}
      {canBulkEdit && (
        <Button
          size="compact-sm"
          variant="default"
          color="red"
          leftSection={<IconTrash size={14} aria-hidden />}
          loading={destroy.isPending}
          onClick={() => void remove()}
        >
          {t('Delete')}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        onClick={() => {
          setEverything(false);
          clear();
        }}
      >
        {t('Clear selection')}
      </Button>
      {exporting && (
        <ExportDialog which={which} count={count} close={() => setExporting(false)} done={done} />
      )}
      {asking && (
        <NamePrompt
          what={asking}
          count={count}
          busy={busy}
          close={() => setAsking(null)}
          apply={apply}
        />
      )}
    </div>
  );
}

function Menus({
  icon,
  title,
  add,
  away,
  onAdd,
  onAway,
}: {
  icon: React.ReactNode;
  title: string;
  add: string;
  away: string;
  onAdd: () => void;
  onAway: () => void;
}) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button size="compact-sm" variant="default" leftSection={icon}>
          {title}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onAdd}>{add}</Menu.Item>
        <Menu.Item onClick={onAway}>{away}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Which label or group; one that is not there yet is made on the way. */
function NamePrompt({
  what,
  count,
  busy,
  close,
  apply,
}: {
  what: 'label' | 'unlabel' | 'group' | 'ungroup';
  count: number;
  busy: boolean;
  close: () => void;
  apply: (id: number, name: string) => Promise<void>;
}) {
  const sorting = useSorting();
  const companyId = useCompanyId() ?? 0;
  const isLabel = what.endsWith('label');
  const adds = what === 'label' || what === 'group';
  const [name, setName] = useState('');
  const makeLabel = useApiMutation(groups.createContactLabel, {
    invalidates: [groups.listContactLabels],
  });
  const makeGroup = useApiMutation(groups.createGroup, { invalidates: [groups.listGroups] });
  const known = isLabel ? sorting.labelOptions : sorting.plainOptions;
  const meant = known.find((one) => one.label.toLowerCase() === name.trim().toLowerCase());
  const fresh = adds && name.trim() !== '' && !meant;
  const send = async (): Promise<void> => {
    if (meant) return apply(Number(meant.value), meant.label);
    if (!fresh) return;
    const made = isLabel
      ? await makeLabel.mutate({ params: { companyId }, body: { label: name.trim() } })
      : await makeGroup.mutate({ body: { name: name.trim() } });
    if (made) await apply(made.data.id, name.trim());
  };
  const titles = {
    label: t('Label {n, plural, one {# contact} other {# contacts}}', { n: count }),
    unlabel: t('Remove a label from {n, plural, one {# contact} other {# contacts}}', { n: count }),
    group: t('Add {n, plural, one {# contact} other {# contacts}} to a group', { n: count }),
    ungroup: t('Remove {n, plural, one {# contact} other {# contacts}} from a group', { n: count }),
  };
  return (
    <Modal
      opened
      onClose={close}
      size="sm"
      closeButtonProps={{ 'aria-label': t('Close') }}
      title={titles[what]}
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void send();
        }}
      >
        <Stack gap="sm">
          <Autocomplete
            label={isLabel ? t('Label') : t('Group')}
            data-autofocus
            selectFirstOptionOnChange
            data={known.map((one) => one.label)}
            value={name}
            onChange={setName}
            maxLength={60}
            description={fresh ? t('This name is new. It will be created.') : undefined}
          />
          {!adds && known.length === 0 && (
            <Text size="sm" c="dimmed">
              {t('None yet.')}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button
              type="submit"
              loading={busy || makeLabel.isPending || makeGroup.isPending}
              disabled={!meant && !fresh}
            >
              {titles[what]}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
