import { MultiSelect, SegmentedControl, Select, TextInput, Text } from '@mantine/core';
import { groups, type importing } from '#contract';
import { optinNames, optinTypes } from '#contract/contacts/rules';
import { t, useApiQuery } from '#ui';
import css from './importing.module.css';

type Options = importing.ImportOptions;

interface OptionsFormProps {
  options: Options;
  change: (part: Partial<Options>) => void;
  errors: Record<string, string>;
}

/** Import options: what else happens to the imported contacts. */
export const OptionsForm = (props: OptionsFormProps) => (
  <div className={css.choices}>
    <ExistingContacts {...props} />
    <Memberships {...props} />
    <OptIn {...props} />
  </div>
);

function ExistingContacts({ options, change }: OptionsFormProps) {
  return (
    <div>
      <Text size="sm" fw={500} id="existing-contacts" mb={4}>
        {t('Existing contacts')}
      </Text>
      <SegmentedControl
        fullWidth
        aria-labelledby="existing-contacts"
        value={options.existing}
        onChange={(existing) => change({ existing: existing as Options['existing'] })}
        data={[
          { value: 'update', label: t('Update them') },
          { value: 'skip', label: t('Leave them unchanged') },
        ]}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {options.existing === 'update'
          ? t('Empty cells never erase anything.')
          : t('Nothing about them changes, including groups and labels.')}
      </Text>
    </div>
  );
}

/** The groups and labels that imported contacts get. */
function Memberships({ options, change, errors }: OptionsFormProps) {
  const plain =
    useApiQuery(groups.listGroups, { query: { virtual: false, perPage: 250 } }, { silent: true })
      .response?.data ?? [];
  const labels =
    useApiQuery(groups.listContactLabels, { query: { perPage: 250 } }, { silent: true }).response
      ?.data ?? [];
  return (
    <>
      <MultiSelect
        label={t('Add everyone to')}
        placeholder={options.groupIds.length ? '' : t('No group')}
        data={plain.map((g) => ({ value: String(g.id), label: g.name }))}
        value={options.groupIds.map(String)}
        onChange={(ids) => change({ groupIds: ids.map(Number) })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('No group') }}
        error={errors['options.groupIds']}
      />
      <TextInput
        label={t('New group')}
        placeholder={t('For example, Spring fair')}
        maxLength={80}
        defaultValue={options.newGroup ?? ''}
        onBlur={(e) => change({ newGroup: e.currentTarget.value.trim() || null })}
        error={errors['options.newGroup']}
      />
      <MultiSelect
        label={t('Label everyone')}
        placeholder={options.labelIds.length ? '' : t('No label')}
        data={labels.map((l) => ({ value: String(l.id), label: l.label }))}
        value={options.labelIds.map(String)}
        onChange={(ids) => change({ labelIds: ids.map(Number) })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('No label') }}
        error={errors['options.labelIds']}
      />
    </>
  );
}

function OptIn({ options, change }: OptionsFormProps) {
  return (
    <>
      <Select
        label={t('How new contacts opted in')}
        placeholder={t('Not specified')}
        data={optinTypes.map((o) => ({ value: o, label: t(optinNames[o]) }))}
        value={options.optinType}
        onChange={(optinType) => change({ optinType: optinType as Options['optinType'] })}
        clearable
        clearButtonProps={{ 'aria-label': t('Not specified') }}
      />
      {options.optinType && (
        <TextInput
          label={t('Where they opted in')}
          placeholder={t('Form at the spring fair')}
          maxLength={300}
          defaultValue={options.optinSource}
          onBlur={(e) => change({ optinSource: e.currentTarget.value.trim() })}
        />
      )}
    </>
  );
}
