import { numbers, routing } from '#contract';
import { entityOf } from '#contract/fields/rules';
import { Section, t, usePermission, useApiMutation } from '#ui';
import { CustomFields, useFields } from '../../fields/index.ts';
import type { EditableNumber } from './number-form.ts';

/** The company's custom fields of a number. A field is saved on blur. */
export function NumberFields({ number }: { number: EditableNumber }) {
  const mayEdit = usePermission('numbers.configure');
  const { mutate, error } = useApiMutation(routing.updateNumber, {
    success: t('Number updated'),
    invalidates: [routing.getNumber, numbers.listNumbersDatatable],
    silent: (r) => Object.keys(r.fields).some((name) => name.startsWith('eavAttributeValues.')),
  });
  if (!useFields(entityOf.number).fields.length) return null;
  return (
    <Section title={t('Custom fields')}>
      <CustomFields
        entity={entityOf.number}
        values={number.eavAttributeValues}
        disabled={!mayEdit}
        errors={error?.fields ?? {}}
        onChange={(eavAttributeValues) =>
          void mutate({ params: { id: number.id }, body: { eavAttributeValues } })
        }
      />
    </Section>
  );
}
