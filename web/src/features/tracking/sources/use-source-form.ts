import { useForm } from '@mantine/form';
import { tracking } from '#contract';
import { bindFieldErrors, t, useApiMutation, useCompanyId } from '#ui';

/** What a rule looks at and how it compares, as one choice. */
type Condition = 'url.contains' | 'url.equals' | 'url.regex' | 'param' | 'referrer';
interface RuleDraft {
  key: number;
  id: string | null;
  condition: Condition;
  name: string;
  value: string;
}

let last = 0;
/** A rule for the form; without `of` an empty one. */
export function ruleDraft(of?: tracking.SourceRule): RuleDraft {
  const condition =
    of === undefined ? 'url.contains' : of.on === 'url' ? (`url.${of.match}` as Condition) : of.on;
  return {
    key: ++last,
    id: of?.id ?? null,
    condition,
    name: of?.name ?? '',
    value: of?.value ?? '',
  };
}

function ruleIn({ id, condition, name, value }: RuleDraft): tracking.SourceRuleIn {
  const keeps = id === null ? {} : { id };
  if (condition === 'param') return { ...keeps, on: 'param', name, value };
  if (condition === 'referrer') return { ...keeps, on: 'referrer', value };
  const match = condition.slice('url.'.length) as 'contains' | 'equals' | 'regex';
  return { ...keeps, on: 'url', match, value };
}

/** The form of a source; `source` null adds one. */
export function useSourceForm(source: tracking.Source | null, onClose: () => void) {
  const companyId = useCompanyId() ?? 0;
  const form = useForm({
    initialValues: {
      label: source?.label ?? '',
      group: source?.group ?? ('offline' as tracking.SourceGroup),
      rules: source ? source.rules.map(ruleDraft) : [ruleDraft()],
    },
    validate: {
      label: (label) => (label.trim() ? null : t('Enter a name.')),
      rules: {
        name: (name, values, path) =>
          values.rules[Number(path.split('.')[1])]?.condition === 'param' && !name.trim()
            ? t('Enter a parameter.')
            : null,
        value: (value) => (value.trim() ? null : t('Enter what to look for.')),
      },
    },
  });
  const options = { onFieldErrors: bindFieldErrors(form), invalidates: [tracking.listSources] };
  const create = useApiMutation(tracking.createSource, { ...options, success: t('Source added') });
  const update = useApiMutation(tracking.updateSource, { ...options, success: t('Source saved') });
  const save = form.onSubmit(async ({ label, group, rules }) => {
    const kind = group === 'offline' ? 'offline' : 'online';
    const body = { label, group, kind, rules: rules.map(ruleIn) } as const;
    const done = source
      ? await update.mutate({ params: { companyId, sourceId: source.id }, body })
      : await create.mutate({ params: { companyId }, body });
    if (done) onClose();
  });
  return { form, save, isPending: create.isPending || update.isPending };
}
export type SourceFormModel = ReturnType<typeof useSourceForm>['form'];
