import { Button, MultiSelect, Select, Switch, TagsInput, Textarea } from '@mantine/core';
import { calls, sentences, type Body } from '#contract';
import { entityOf } from '#contract/fields/rules';
import {
  optimisticUpdate,
  NumberInput,
  parseMoney,
  t,
  useEditableValue,
  usePermission,
  useApiMutation,
} from '#ui';
import { CustomFields } from '../../fields/index.ts';
import css from './CallAnnotations.module.css';

type Call = calls.Call;
type Edit = Body<typeof calls.updateCall>;
const failure = { title: sentences.callUpdateFailed };
const outcomeTagLabels: Record<(typeof calls.outcomeTags)[number], string> = {
  appt_booked: 'Appointment booked',
  vehicle_ordered: 'Vehicle ordered',
  parts_ordered: 'Parts ordered',
  get_back_commitment: 'Callback promised',
  not_opportunity: 'Not an opportunity',
  opportunity: 'Opportunity',
  unknown: 'Unknown',
};
const departmentLabels: Record<(typeof calls.departments)[number], string> = {
  sales: 'Sales',
  service: 'Service',
  parts: 'Parts',
  trade: 'Trade',
  credit: 'Credit',
  body_shop: 'Body shop',
  admin: 'Admin',
  accessories: 'Accessories',
  hr: 'HR',
  custom_shop: 'Custom shop',
  rentals: 'Rentals',
  unknown: 'Unknown',
  quick_lube: 'Quick lube',
};

/** Note, tags, qualification and outcome. Every change shows at once and is taken back when it cannot be kept (A §8). */
export function CallAnnotations({ call }: { call: Call }) {
  const mayEdit = usePermission('calls.edit');
  const values = useApiMutation(calls.updateCall, {
    failure,
    invalidates: [calls.getCall],
    silent: (error) =>
      Object.keys(error.fields).some((name) => name.startsWith('eavAttributeValues.')),
  });
  const { mutate } = useApiMutation(calls.updateCall, {
    failure,
    invalidates: [calls.getCall],
    optimistic: (cache, { body }) =>
      optimisticUpdate(cache, calls.getCall, (response) =>
        response.data.id === call.id
          ? { ...response, data: { ...response.data, ...optimisticChange(body as Edit) } }
          : undefined,
      ),
  });
  const save = async (body: Edit): Promise<boolean> =>
    (await mutate({ params: { id: call.id }, body })) !== null;
  return (
    <div className={css.edits}>
      <Note call={call} mayEdit={mayEdit} save={save} />
      <Tags call={call} mayEdit={mayEdit} />
      <Select
        label={t('Qualification')}
        data={[
          { value: '1', label: t('Qualified') },
          { value: '0', label: t('Not qualified') },
        ]}
        value={String(call.qualified)}
        allowDeselect={false}
        disabled={!mayEdit}
        onChange={(v) => void save({ qualified: v === '1' })}
      />
      <MultiSelect
        label={t('Outcome')}
        data={calls.outcomeTags.map((value) => ({ value, label: t(outcomeTagLabels[value]) }))}
        value={call.outcome_tags}
        disabled={!mayEdit}
        clearable
        onChange={(v) => void save({ outcome_tags: v as Call['outcome_tags'] })}
        placeholder={call.outcome_tags.length ? '' : t('None')}
      />
      <Select
        label={t('Department')}
        data={calls.departments.map((value) => ({ value, label: t(departmentLabels[value]) }))}
        value={call.department}
        allowDeselect={false}
        disabled={!mayEdit}
        searchable
        onChange={(v) => {
          if (v) void save({ department: v as Call['department'] });
        }}
      />
      <Value call={call} mayEdit={mayEdit} save={save} />
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
      <CustomFields
        entity={entityOf.call}
        values={call.eavAttributeValues}
        disabled={!mayEdit}
        errors={values.error?.fields ?? {}}
        onChange={(changed) =>
          void values.mutate({ params: { id: call.id }, body: { eavAttributeValues: changed } })
        }
      />
    </div>
  );
}

/** How a change looks in the answer before the server has said so. */
function optimisticChange(body: Edit): Partial<Call> {
  const {
    qualified,
    lead,
    spam,
    contact_id: _contact,
    eavAttributeValues: _values,
    companyId: _a,
    company_id: _b,
    ...same
  } = body;
  const bit = (v: boolean | undefined) => (v ? (1 as const) : (0 as const));
  return {
    ...(same as Partial<Call>),
    ...(qualified !== undefined && { qualified: bit(qualified) }),
    ...(lead !== undefined && { lead: bit(lead) }),
    ...(spam !== undefined && { spam: bit(spam) }),
  };
}

function Note({
  call,
  mayEdit,
  save,
}: {
  call: Call;
  mayEdit: boolean;
  save: (body: Edit) => Promise<boolean>;
}) {
  const { value: text, edit, finish } = useEditableValue(call.note, call.id);
  const changed = text !== call.note;
  const keep = (): void => {
    if (finish() && changed)
      void save({ note: text }).then((isSaved) => {
        if (!isSaved) edit(text);
      });
  };
  return (
    <div>
      <Textarea
        label={t('Note')}
        value={text}
        onChange={(e) => edit(e.currentTarget.value)}
        onBlur={keep}
        onKeyDown={(e) => {
          if (e.key === 'Enter' && (e.metaKey || e.ctrlKey)) keep();
        }}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={5000}
        disabled={!mayEdit}
        placeholder={t('Add a note about this call')}
      />
      {changed && (
        <Button mt={6} size="compact-sm" onMouseDown={(e) => e.preventDefault()} onClick={keep}>
          {t('Save note')}
        </Button>
      )}
    </div>
  );
}

function Tags({ call, mayEdit }: { call: Call; mayEdit: boolean }) {
  const change = (add: boolean) => ({
    failure,
    invalidates: [calls.getCall],
    optimistic: (cache: Parameters<typeof optimisticUpdate>[0], { body }: { body?: unknown }) => {
      const { tags } = body as { tags: string[] };
      return optimisticUpdate(cache, calls.getCall, (response) =>
        response.data.id !== call.id
          ? undefined
          : {
              ...response,
              data: {
                ...response.data,
                tags: add
                  ? [
                      ...response.data.tags,
                      ...tags.map((name, i) => ({ id: -1 - i, name, color: 'teal' })),
                    ]
                  : response.data.tags.filter((x) => !tags.includes(x.name)),
              },
            },
      );
    },
  });
  const { mutate: put } = useApiMutation(calls.addCallTags, change(true));
  const { mutate: take } = useApiMutation(calls.removeCallTags, change(false));
  const names = call.tags.map((x) => x.name);
  const onChange = (wanted: string[]): void => {
    const [fresh, gone] = [
      wanted.filter((n) => !names.includes(n)),
      names.filter((n) => !wanted.includes(n)),
    ];
    if (fresh.length) void put({ params: { id: call.id }, body: { tags: fresh } });
    if (gone.length) void take({ params: { id: call.id }, body: { tags: gone } });
  };
  return (
    <TagsInput
      label={t('Tags')}
      value={names}
      onChange={onChange}
      maxTags={50}
      maxLength={50}
      disabled={!mayEdit}
      placeholder={names.length ? '' : t('Type a tag and press Enter')}
    />
  );
}

function Value({
  call,
  mayEdit,
  save,
}: {
  call: Call;
  mayEdit: boolean;
  save: (body: Edit) => Promise<boolean>;
}) {
  const stored = call.value_cents === null ? '' : call.value_cents / 100;
  const { value, edit, finish } = useEditableValue<number | string>(stored, call.id);
  const keep = (): void => {
    if (!finish()) return;
    const cents = value === '' ? null : parseMoney(String(value));
    const readable = value === '' || cents !== null;
    if (readable && cents !== call.value_cents) void save({ value_cents: cents });
  };
  return (
    <NumberInput
      label={t('Value')}
      prefix="$"
      value={value}
      onChange={edit}
      onBlur={keep}
      min={0}
      decimalScale={2}
      thousandSeparator=","
      hideControls
      disabled={!mayEdit}
      placeholder={t('Not set')}
    />
  );
}
