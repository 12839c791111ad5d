import { useEffect, useRef, useState } from 'react';
import { useForm } from '@mantine/form';
import { flows, routing } from '#contract';
import { bindFieldErrors, confirm, t, useApiMutation, useUnsavedGuard, type ApiError } from '#ui';
import { draftErrors, withoutEmptyRows, type Draft } from '../draft.ts';
import { toRequest } from '../draft-request.ts';
import type { DraftForm } from '../draft.ts';
import { draftFromFlow } from './flow-draft.ts';

/** The step to open for a field with an error, by the field's path (`routes.0.after_hours.target`). */
function stepOfField(path: string, draft: Draft): string | null {
  const index = /^routes\.(\d+)/.exec(path)?.[1];
  const route = index === undefined ? undefined : draft.routes[Number(index)];
  if (!route) return null;
  return /business_hours|after_hours/.test(path) ? `hours:${route.key}` : `route:${route.key}`;
}

export interface FlowDraftOptions {
  flow: flows.NumberFlow;
  /** Opens the step that a rejected field belongs to. */
  onSelect: (step: string) => void;
  /** The form was replaced by a stored flow: what was selected or tested no longer applies. */
  onReplaced: (draft: Draft) => void;
  announce: (text: string) => void;
}

/** Saves, publishes and discards the draft; a rejected field opens the step it belongs to. */
function useFlowMutations(
  form: DraftForm,
  onSelect: (step: string) => void,
  onPublished: (flow: flows.NumberFlow) => void,
) {
  const bindErrors = bindFieldErrors(form);
  const showFieldErrors = (error: ApiError): string[] => {
    const shown = bindErrors(error);
    const step = stepOfField(shown[0] ?? '', form.getValues());
    if (step !== null) onSelect(step);
    return shown;
  };
  const saving = useApiMutation(flows.saveFlowDraft, {
    onFieldErrors: showFieldErrors,
    invalidates: [flows.getFlow],
  });
  const publishing = useApiMutation(flows.publishFlow, {
    onFieldErrors: showFieldErrors,
    invalidates: [flows.getFlow, flows.listFlowVersions, routing.getNumber],
    silent: (error) => error.code === 'flow.published_meanwhile',
    success: (response) => t('Version {n} is live', { n: response.data.published.version }),
    onSuccess: ({ data }) => onPublished(data),
  });
  const discarding = useApiMutation(flows.discardFlowDraft, {
    invalidates: [flows.getFlow],
    success: t('Draft discarded'),
  });
  return { saving, publishing, discarding };
}

/** The form of a flow's draft. It follows the stored one unless it has changes of its own. */
function useDraftForm(flow: flows.NumberFlow, onReplaced: FlowDraftOptions['onReplaced']) {
  const form: DraftForm = useForm<Draft>({
    initialValues: draftFromFlow(flow.draft ?? flow.published),
    validate: draftErrors,
  });
  // Revision of the stored draft this form started from; null: there was none.
  const [revision, setRevision] = useState(flow.draft?.revision ?? null);
  const revisionRef = useRef(revision);
  const keepRevision = (next: number | null): void => {
    revisionRef.current = next;
    setRevision(next);
  };
  const replaceWith = (next: flows.NumberFlow): void => {
    const fresh = draftFromFlow(next.draft ?? next.published);
    keepRevision(next.draft?.revision ?? null);
    form.setInitialValues(fresh);
    form.setValues(fresh);
    form.resetDirty(fresh);
    form.clearErrors();
    onReplaced(fresh);
  };
  // Someone else saved or published: take that over unless this form has changes of its own.
  const isOutdated = (flow.draft?.revision ?? null) !== revision;
  useEffect(() => {
    if (isOutdated && !form.isDirty()) replaceWith(flow);
    // oxlint-disable-next-line exhaustive-deps -- only when something was saved or published
  }, [flow.draft?.revision, flow.published.version]);
  return { form, revisionRef, keepRevision, replaceWith, isOutdated };
}

/** Whether a draft has no errors. Shows them otherwise and opens the step of the first. */
function isValidDraft(
  form: DraftForm,
  draft: Draft,
  onSelect: FlowDraftOptions['onSelect'],
): boolean {
  const errors = draftErrors(draft);
  const first = Object.keys(errors)[0];
  if (first === undefined) return true;
  form.setErrors(errors);
  const step = stepOfField(first, draft);
  if (step !== null) onSelect(step);
  return false;
}

/**
 * The draft of a number's flow in a form: saved, published and discarded, and kept in step with
 * other editors.
 */
export function useFlowDraft({ flow, onSelect, onReplaced, announce }: FlowDraftOptions) {
  const { form, revisionRef, keepRevision, replaceWith, isOutdated } = useDraftForm(
    flow,
    onReplaced,
  );
  const isDirty = form.isDirty();
  useUnsavedGuard(isDirty);
  const { saving, publishing, discarding } = useFlowMutations(form, onSelect, replaceWith);
  const params = { id: flow.number_id };

  /** Stores the form as the draft. False: it has errors, which are shown. */
  const save = async (): Promise<boolean> => {
    const draft = withoutEmptyRows(form.getValues());
    form.setValues(draft);
    if (!isValidDraft(form, draft, onSelect)) return false;
    const body = { ...toRequest(draft), revision: revisionRef.current };
    const response = await saving.mutate({ params, body });
    if (response === null) return false;
    keepRevision(response.data.draft?.revision ?? null);
    form.resetDirty(form.getValues());
    announce(t('Draft saved'));
    return true;
  };
  const publish = async (): Promise<void> => {
    const needsSaving = form.isDirty() || flow.draft === null;
    if (needsSaving && !(await save())) return;
    const body = { revision: revisionRef.current };
    if ((await publishing.mutate({ params, body })) !== null) return;
    if (await confirmReplacing(flow))
      await publishing.mutate({ params, body: { ...body, over: flow.published.version } });
  };
  const discard = async (): Promise<void> => {
    if (!(await confirmDiscarding())) return;
    if (flow.draft !== null && (await discarding.mutate({ params })) === null) return;
    replaceWith({ ...flow, draft: null });
  };
  /** Keeps this form over a draft that someone else saved meanwhile. */
  const keepMine = (): void => {
    keepRevision(flow.draft?.revision ?? null);
    announce(t('Yours is kept. Saving replaces theirs.'));
  };

  return {
    form,
    isDirty,
    /** Differs from the live flow, saved or not. */
    isDraft: isDirty || flow.draft !== null,
    isOutdated,
    isSaving: saving.isPending,
    isPublishing: publishing.isPending,
    save,
    publish,
    discard,
    replaceWith,
    keepMine,
  };
}
export type FlowDraft = ReturnType<typeof useFlowDraft>;

const confirmDiscarding = (): Promise<boolean> =>
  confirm({
    title: t('Discard the draft?'),
    body: t('The editor goes back to the live flow. Calls aren’t affected.'),
    confirmLabel: t('Discard'),
  });

/** Asks before a draft replaces a version published after it was started. False without such a version. */
async function confirmReplacing({ draft, published }: flows.NumberFlow): Promise<boolean> {
  if (draft === null || published.version <= draft.based_on) return false;
  return confirm({
    title: t('Replace version {n}?', { n: published.version }),
    body: t(
      '{name} published version {n} after this draft was started: {summary} Publishing replaces it.',
      {
        name: published.published_by ?? t('Someone'),
        n: published.version,
        summary: published.summary,
      },
    ),
    confirmLabel: t('Publish anyway'),
  });
}
