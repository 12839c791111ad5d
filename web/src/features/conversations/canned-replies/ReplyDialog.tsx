import { useRef } from 'react';
import { Button, Group, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { team } from '#contract';
import type { CannedReply } from '#contract/conversations/team/schemas';
import { bindFieldErrors, Modal, t, useApiMutation } from '#ui';
import { mergeTags, tagName } from './canned-replies.ts';
import { fillTemplate } from './fill-template.ts';
import css from './ReplyDialog.module.css';

/** A contact and a sender for the preview of a reply. */
const example = {
  name: 'Dana Reed',
  phone: '+12125550147',
  myName: 'Una User',
  company: 'Harbor Dental',
};

function useReplyForm(reply: CannedReply | null) {
  return useForm({
    initialValues: {
      shortcut: reply?.shortcut ?? '',
      title: reply?.title ?? '',
      body: reply?.body ?? '',
      shared: reply?.shared ?? false,
    },
    validate: {
      shortcut: (value) =>
        /^[\p{L}\p{N}_-]{1,30}$/u.test(value.trim())
          ? null
          : t('Use letters, digits, - and _, no spaces.'),
      title: (value) => (value.trim() ? null : t('Enter a name.')),
      body: (value) => (value.trim() ? null : t('Enter the reply.')),
    },
  });
}
type ReplyForm = ReturnType<typeof useReplyForm>;

/** Creates or edits a canned reply; `null` is a new one. */
export function ReplyDialog({ reply, close }: { reply: CannedReply | null; close: () => void }) {
  const form = useReplyForm(reply);
  const options = {
    onFieldErrors: bindFieldErrors(form),
    invalidates: [team.listCannedReplies],
    onSuccess: close,
    success: t('Reply saved'),
  };
  const add = useApiMutation(team.addCannedReply, options);
  const update = useApiMutation(team.updateCannedReply, options);
  const save = (body: ReplyForm['values']): void =>
    void (reply ? update.mutate({ params: { id: reply.id }, body }) : add.mutate({ body }));
  return (
    <Modal
      opened
      onClose={close}
      title={reply ? `/${reply.shortcut}` : t('New canned reply')}
      size="md"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form noValidate onSubmit={form.onSubmit(save)}>
        <Stack gap="sm">
          <TextInput
            label={t('Shortcut')}
            description={t('What you type after /')}
            leftSection="/"
            maxLength={30}
            data-autofocus
            {...form.getInputProps('shortcut')}
          />
          <TextInput label={t('Name')} maxLength={80} {...form.getInputProps('title')} />
          <BodyField form={form} />
          {form.values.body.includes('{{') && (
            <p className={css.preview}>
              <span>{t('To Dana Reed')}</span>
              {fillTemplate(form.values.body, example)}
            </p>
          )}
          <Switch
            label={t('Share with everyone in the company')}
            {...form.getInputProps('shared', { type: 'checkbox' })}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button
              type="submit"
              loading={add.isPending || update.isPending}
              disabled={reply !== null && !form.isDirty()}
            >
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** The reply's text, and buttons that insert a tag at the caret. */
function BodyField({ form }: { form: ReplyForm }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const insert = (tag: string): void => {
    const { body } = form.values;
    const from = field.current?.selectionStart ?? body.length;
    const to = field.current?.selectionEnd ?? body.length;
    const piece = tag === 'first_name' ? '{{first_name|there}}' : `{{${tag}}}`;
    form.setFieldValue('body', body.slice(0, from) + piece + body.slice(to));
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(from + piece.length, from + piece.length);
    });
  };
  return (
    <div>
      <Textarea
        ref={field}
        label={t('Reply')}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={1000}
        {...form.getInputProps('body')}
      />
      <div className={css.tags} role="group" aria-label={t('Insert')}>
        {mergeTags.map((tag) => (
          <button key={tag} type="button" className={css.tag} onClick={() => insert(tag)}>
            {tagName(tag)}
          </button>
        ))}
      </div>
    </div>
  );
}
