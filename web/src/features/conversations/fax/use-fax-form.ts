import { useState } from 'react';
import { conversations, fax } from '#contract';
import { formatPhone, normalizePhone } from '#contract/phone';
import { formFields, navigate, t, useApiMutation, useSession } from '#ui';
import { useFromNumber } from '../composer/FromNumber.tsx';
import { conversationHref } from '../list/use-inbox.ts';
import { useOurNumbers } from '../use-our-numbers.ts';
import { selectDocuments } from './labels.ts';

/** The recipient, and the company's number in their conversation. */
export interface FaxRecipient {
  number: string;
  /** How the request names it (`partyFor`). */
  party: string;
  name: string | null;
  ours: number;
}

/** What the fax form holds; sending opens the conversation. */
export function useFaxForm(known: FaxRecipient | undefined, onClose: () => void) {
  const numbers = useOurNumbers().filter((n) => n.canFax);
  const [from, setFrom] = useFromNumber(numbers, (n) => n.id === known?.ours);
  const [to, setTo] = useState(known ? formatPhone(known.number) : '');
  const [files, setFiles] = useState<File[]>([]);
  const cover = useCoverPage(known);
  const [problem, setProblem] = useState<{ to?: string; files?: string }>({});
  const { mutate, isPending } = useApiMutation(fax.sendFax, {
    invalidates: [conversations.listConversations, conversations.listActivity],
    success: t('Sending fax'),
    onSuccess: (response) => {
      onClose();
      if (response.data.conversationId) navigate(conversationHref(response.data.conversationId));
    },
  });
  const send = (): void => {
    const isHidden = known?.number === to && to.includes('•');
    const number = isHidden ? known.party : normalizePhone(to);
    if (!number) return setProblem({ to: t('Enter a fax number with area code.') });
    if (files.length === 0) return setProblem({ files: t('Attach a document to fax.') });
    setProblem({});
    void mutate({
      body: formFields({
        numberId: Number(from),
        to: number,
        files,
        ...(cover.isOn && { cover: cover.fields }),
      }),
    });
  };
  const attach = (added: readonly File[]): void => {
    const chosen = selectDocuments(files, added);
    setFiles(chosen.files);
    setProblem(chosen.problem ? { files: chosen.problem } : {});
  };
  const changeTo = (next: string): void => {
    setTo(next);
    setProblem({});
  };
  return {
    ...{ numbers, from, setFrom, to, setTo: changeTo, files, setFiles, attach },
    ...{ cover, problem, isPending, send },
  };
}
export type FaxForm = ReturnType<typeof useFaxForm>;

function useCoverPage(recipient: FaxRecipient | undefined) {
  const sender = useSession((s) => s.user?.name ?? '');
  const [isOn, setOn] = useState(false);
  const [fields, setFields] = useState({
    to: recipient?.name ?? '',
    from: sender,
    subject: '',
    note: '',
  });
  const inputProps = (key: keyof typeof fields, maxLength: number) => ({
    value: fields[key],
    maxLength,
    onChange: (e: { currentTarget: { value: string } }) =>
      setFields({ ...fields, [key]: e.currentTarget.value }),
  });
  return { isOn, setOn, fields, inputProps };
}
