import { MultiSelect, Select, Switch } from '@mantine/core';
import { calls } from '#contract';
import { maxCallValueCents } from '#contract/calls/rules';
import { entityOf } from '#contract/fields/rules';
import { NumberInput, parseMoney, t, useApiMutation, useEditableValue } from '#ui';
import { CustomFields } from '../../fields/index.ts';
import { CallTags } from './CallTags.tsx';
import { departmentName } from './department-name.ts';
import { outcomeTagName } from './outcome-tag-name.ts';
import { callUpdateFailure, useUpdateCall, type CallEditing } from './use-update-call.ts';
import css from './CallAnnotations.module.css';

type Call = calls.Call;
/** Tags, qualification, outcome and custom fields of a call. Each change is saved at once and undone when rejected (A §8). */
export function CallAnnotations({ call }: { call: Call }) {
  const { mayEdit, save } = useUpdateCall(call.id);
  return (
    <div className={css.edits}>
      <CallTags call={call} mayEdit={mayEdit} />
      <Select
        label={t('Qualification')}
        data={[
          { value: '1', label: t('Qualified') },
          { value: '0', label: t('Not qualified') },
        ]}
        value={String(call.qualified)}
        allowDeselect={false}
        disabled={!mayEdit}
        onChange={(value) => void save({ qualified: value === '1' })}
      />
      <MultiSelect
        label={t('Outcome')}
        data={calls.outcomeTags.map((value) => ({ value, label: outcomeTagName(value) }))}
        value={call.outcome_tags}
        disabled={!mayEdit}
        clearable
        onChange={(chosen) =>
          void save({ outcome_tags: calls.outcomeTags.filter((tag) => chosen.includes(tag)) })
        }
        placeholder={call.outcome_tags.length ? '' : t('None')}
      />
      <Select
        label={t('Department')}
        data={calls.departments.map((value) => ({ value, label: departmentName(value) }))}
        value={call.department}
        allowDeselect={false}
        disabled={!mayEdit}
        searchable
        onChange={(chosen) => {
          const department = calls.departments.find((one) => one === chosen);
          if (department) void save({ department });
        }}
      />
      <CallValue call={call} mayEdit={mayEdit} save={save} />
      <div className={css.switches}>
        <Switch
          label={t('Lead')}
          checked={call.lead === 1}
          disabled={!mayEdit}
          onChange={(e) => void save({ lead: e.currentTarget.checked })}
        />
        <Switch
          label={t('Spam')}
          checked={call.spam === 1}
          disabled={!mayEdit}
          onChange={(e) => void save({ spam: e.currentTarget.checked })}
        />
      </div>
      <CallFields call={call} mayEdit={mayEdit} />
    </div>
  );
}

/** Custom fields show their own errors, so the request layer stays silent about those. */
function CallFields({ call, mayEdit }: { call: Call; mayEdit: boolean }) {
  const { mutate, error } = useApiMutation(calls.updateCall, {
    failure: callUpdateFailure,
    invalidates: [calls.getCall],
    silent: (reason) =>
      Object.keys(reason.fields).some((name) => name.startsWith('eavAttributeValues.')),
  });
  return (
    <CustomFields
      entity={entityOf.call}
      values={call.eavAttributeValues}
      disabled={!mayEdit}
      errors={error?.fields ?? {}}
      onChange={(eavAttributeValues) =>
        void mutate({ params: { id: call.id }, body: { eavAttributeValues } })
      }
    />
  );
}

/** What the call was worth, in dollars on screen and cents in the record. */
function CallValue({ call, mayEdit, save }: { call: Call } & CallEditing) {
  const stored = call.value_cents === null ? '' : call.value_cents / 100;
  const { value, edit, finish } = useEditableValue<number | string>(stored, call.id);
  const saveValue = (): void => {
    if (!finish()) return;
    const cents = value === '' ? null : parseMoney(String(value));
    const isReadable = value === '' || cents !== null;
    if (isReadable && cents !== call.value_cents) void save({ value_cents: cents });
  };
  return (
    <NumberInput
      label={t('Value')}
      prefix="$"
      value={value}
      onChange={edit}
      onBlur={saveValue}
      min={0}
      max={maxCallValueCents / 100}
      decimalScale={2}
      thousandSeparator=","
      hideControls
      disabled={!mayEdit}
      placeholder={t('Not set')}
    />
  );
}
