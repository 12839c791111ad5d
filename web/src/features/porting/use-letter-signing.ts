import { useState } from 'react';
import { porting } from '#contract';
import { confirm, t, useApiMutation } from '#ui';

/** A signature as entered: typed or drawn (a PNG `data:` URL), and the consent. */
interface Signature {
  isDrawn: boolean;
  name: string;
  drawing: string | null;
  agree: boolean;
}

/**
 * Signs the letter of authorization, or sends it out to be signed on paper. `wrong` holds the errors
 * by field, `hash` identifies the text that is signed.
 */
export function useLetterSigning(port: porting.PortRequest, hash: string) {
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const invalidates = [porting.getPort, porting.portLetter, porting.listPorts];
  const form = (error: { fields: Record<string, string> }): string[] => {
    setWrong(error.fields);
    return Object.keys(error.fields);
  };
  const { mutate: sign, isPending } = useApiMutation(porting.signPortLetter, {
    invalidates,
    onFieldErrors: form,
    success: t('The letter is signed'),
  });
  const send = useApiMutation(porting.sendPortLetter, {
    invalidates,
    onFieldErrors: form,
    success: t('The letter was sent'),
  });
  const signNow = ({ isDrawn, name, drawing, agree }: Signature): void => {
    setWrong({});
    if (!agree)
      return setWrong({ agree: t('Confirm that you’re authorized to sign for this account.') });
    if (isDrawn && !drawing) return setWrong({ drawing: t('Draw your signature.') });
    void sign({
      params: { id: port.id },
      body: { name, hash, agree: true, drawing: isDrawn ? drawing : null },
    });
  };
  const sendForPaper = async (): Promise<void> => {
    setWrong({});
    if (
      await confirm({
        title: t('Send the letter to be signed?'),
        confirmLabel: t('Send letter'),
        body: t(
          '{email} receives it as a PDF. Add the signed copy under documents when it comes back.',
          { email: port.authorized_email || t('The authorized person') },
        ),
      })
    )
      void send.mutate({ params: { id: port.id }, body: {} });
  };
  return { wrong, signNow, sendForPaper, isSigning: isPending, isSending: send.isPending };
}
