import { useState } from 'react';
import { Tabs } from '@mantine/core';
import type { EntityTypeId } from '#contract/fields/rules';
import { Drawer, t } from '#ui';
import { FieldCounts, FieldHistory, FieldOverrides } from './FieldFacts.tsx';
import type { Field } from './use-fields.tsx';
import { entityName } from './labels.ts';
import { FieldForm } from './FieldForm.tsx';

/**
 * Creates or edits a custom field. Users who manage only the company edit an override of an
 * organization's field.
 */
export function FieldEditor({
  entity,
  field,
  onClose,
}: {
  entity: EntityTypeId;
  field: Field | null;
  onClose: () => void;
}) {
  const [tab, setTab] = useState('definition');
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={field?.name ?? t('New custom field: {entity}', { entity: entityName(entity) })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {field ? (
        <Tabs value={tab} onChange={(next) => setTab(next ?? 'definition')} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="definition">{t('Definition')}</Tabs.Tab>
            <Tabs.Tab value="counts">{t('Usage')}</Tabs.Tab>
            <Tabs.Tab value="history">{t('History')}</Tabs.Tab>
            {'organization_id' in field.scope && (
              <Tabs.Tab value="overrides">{t('Overrides')}</Tabs.Tab>
            )}
          </Tabs.List>
          <Tabs.Panel value="definition">
            <FieldForm key={field.updated_at} entity={entity} field={field} onClose={onClose} />
          </Tabs.Panel>
          <Tabs.Panel value="counts">
            <FieldCounts field={field} />
          </Tabs.Panel>
          <Tabs.Panel value="history">
            <FieldHistory id={field.id} />
          </Tabs.Panel>
          <Tabs.Panel value="overrides">
            <FieldOverrides field={field} />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <FieldForm entity={entity} field={null} onClose={onClose} />
      )}
    </Drawer>
  );
}
