import { MultiSelect, Stack, Switch } from '@mantine/core';
import { fields } from '#contract';
import { outcomeTags } from '#contract/calls/rules';
import { NumberInput, Section, t, useApiQuery, useCompanyId } from '#ui';
import { outcomeTagName } from '../../../calls/index.ts';
import { NumberSetting, SelectSetting, type SettingsForm } from '../../GeneralFields.tsx';

/** How calls are credited where no pool decides, and which count as new or qualified. */
export function AttributionSection({ form }: { form: SettingsForm }) {
  return (
    <Section title={t('Attribution')}>
      <Stack gap="sm">
        <SelectSetting
          form={form}
          of="attribution_model_default"
          label={t('Attribution model without a pool')}
          description={t('Pools set their models separately.')}
          options={[
            ['first_touch', t('First touch')],
            ['last_touch', t('Last touch')],
            ['linear', t('Linear')],
          ]}
        />
        <NumberSetting
          form={form}
          of="lookback_days"
          label={t('Look back for attribution without a pool')}
          suffix={t(' days')}
        />
        <NumberSetting
          form={form}
          of="first_contact_window_days"
          label={t('A caller is new again after')}
          description={t('A first call is one from a number that hasn’t called for this long.')}
          suffix={t(' days')}
        />
      </Stack>
    </Section>
  );
}

/** Which inbound calls are qualified automatically. */
export function QualifiedSection({ form }: { form: SettingsForm }) {
  const rule = form.values.settings.qualified_rule;
  const change = (part: Partial<typeof rule>): void =>
    form.setFieldValue('settings.qualified_rule', { ...rule, ...part });
  return (
    <Section
      title={t('Qualified calls')}
      about={t('Rules and people can decide otherwise for each call.')}
    >
      <Stack gap="sm">
        <Switch
          label={t('Qualify inbound calls automatically')}
          checked={rule.is_on}
          onChange={(e) => change({ is_on: e.currentTarget.checked })}
        />
        {rule.is_on && (
          <>
            <NumberInput
              label={t('After talking for')}
              data-path="settings.qualified_rule.min_duration"
              description={t('Default: 60 seconds.')}
              suffix={t(' seconds')}
              maw={460}
              min={0}
              max={86_400}
              clampBehavior="none"
              allowDecimal={false}
              allowNegative={false}
              value={rule.min_duration}
              onChange={(value) => change({ min_duration: Number(value) || 0 })}
              error={form.errors['settings.qualified_rule.min_duration']}
            />
            <TagsAndOutcomes rule={rule} change={change} />
            <NumberSetting
              form={form}
              of="duplicate_caller_minutes"
              label={t('Repeated calls count once within')}
              description={t('A caller who calls again within this time is qualified once.')}
              suffix={t(' minutes')}
            />
          </>
        )}
      </Stack>
    </Section>
  );
}

type Rule = SettingsForm['values']['settings']['qualified_rule'];

function TagsAndOutcomes({ rule, change }: { rule: Rule; change: (part: Partial<Rule>) => void }) {
  const companyId = useCompanyId() ?? 0;
  const { response } = useApiQuery(
    fields.listTags,
    { query: { companyId, perPage: 250 } },
    { enabled: companyId !== 0, silent: true },
  );
  return (
    <>
      <MultiSelect
        label={t('With any of these tags')}
        placeholder={rule.tags.length ? '' : t('Any call')}
        maw={460}
        clearable
        searchable
        data={(response?.data ?? []).map(({ id, name }) => ({
          value: String(id),
          label: name,
        }))}
        value={rule.tags.map(String)}
        onChange={(ids) => change({ tags: ids.map(Number) })}
      />
      <MultiSelect
        label={t('And any of these outcomes')}
        placeholder={rule.outcomes.length ? '' : t('Any call')}
        maw={460}
        clearable
        data={outcomeTags.map((value) => ({ value, label: outcomeTagName(value) }))}
        value={rule.outcomes}
        onChange={(outcomes) => change({ outcomes })}
      />
    </>
  );
}
