import { Button } from '@mantine/core';
import { IconRotate } from '@tabler/icons-react';
import { contacts } from '#contract';
import { entityOf } from '#contract/fields/rules';
import type { FieldValue } from '#contract/fields/schemas';
import { t, useApiMutation } from '#ui';
import { contactColumns } from '../columns.tsx';
import { contactName, type Contact } from '../labels.ts';
import { useFieldColumns } from '../../fields/index.ts';

/** The columns of the contact list; deleted contacts have fewer, and a button to restore them. */
export function useListColumns(
  trash: boolean,
  set: (filters: { groupId?: string; labelId?: string }) => void,
) {
  const custom = useFieldColumns<Contact>(
    entityOf.contact,
    (c) => c.eavAttributeValues as FieldValue[],
  );
  const restore = useApiMutation(contacts.restoreContact, {
    invalidates: [contacts.listContacts],
    success: t('Contact restored'),
  });
  const own = contactColumns({
    onGroup: (id) => set({ groupId: String(id) }),
    onLabel: (id) => set({ labelId: String(id) }),
  });
  return trash
    ? [
        ...own.filter((c) => ['name', 'number', 'email', 'companyName'].includes(c.key)),
        {
          key: 'restore',
          title: '',
          width: '110px',
          align: 'end' as const,
          cell: (c: Contact) => (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconRotate size={14} aria-hidden />}
              disabled={restore.isPending}
              aria-label={t('Restore {name}', { name: contactName(c) })}
              onClick={() => void restore.mutate({ params: { contactId: c.id } })}
            >
              {t('Restore')}
            </Button>
          ),
        },
      ]
    : [...own.slice(0, -1), ...custom, ...own.slice(-1)];
}
