import { useState } from 'react';
import { Button, Menu } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { billingContacts as contract } from '#contract';
import {
  confirm,
  DataList,
  EmptyState,
  Modal,
  PhoneNumber,
  t,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  usePermission,
  type Column,
} from '#ui';
import { RowMenu } from '../../../shared/RowMenu.tsx';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { ContactForm, type BillingContact } from '../ContactForm.tsx';

/** Who hears of invoices and payments besides the owners. */
export default function SettingsBillingContacts() {
  const companyId = useCompanyId() ?? 0;
  const [editing, setEditing] = useState<BillingContact | 'new' | null>(null);
  const mayEdit = usePermission('billingContacts.edit');
  const remove = useRemoveContact(companyId);
  const { response, error, loading, refetch } = useApiQuery(contract.listBillingContacts, {
    params: { companyId },
  });
  const add = mayEdit && <Button onClick={() => setEditing('new')}>{t('Add a contact')}</Button>;
  return (
    <SettingsFrame
      title={t('Billing contacts')}
      layout="fill"
      description={t('People who hear of invoices and payments, besides the owners.')}
      action={add}
    >
      <DataList
        label={t('Billing contacts')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={({ id }) => id}
        rowLabel={({ fullName }) => fullName}
        columns={columns(mayEdit ? (contact) => void remove(contact) : null)}
        {...(mayEdit && { onOpen: setEditing })}
        empty={
          <EmptyState
            icon={<IconReceipt size={28} stroke={1.5} />}
            title={t('No billing contacts yet')}
            {...(add && { action: add })}
          >
            {t('Add your accountant, and invoices reach them by email.')}
          </EmptyState>
        }
      />
      <Modal
        opened={editing !== null}
        onClose={() => setEditing(null)}
        title={editing === 'new' ? t('New billing contact') : t('Billing contact')}
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        {editing !== null && (
          <ContactForm
            contact={editing === 'new' ? null : editing}
            onDone={() => setEditing(null)}
          />
        )}
      </Modal>
    </SettingsFrame>
  );
}

/** How a contact is told. */
const waysOf = ({ emailNotifications, smsNotifications }: BillingContact): string =>
  emailNotifications && smsNotifications
    ? t('Email and text')
    : emailNotifications
      ? t('Email')
      : smsNotifications
        ? t('Text')
        : t('Nothing');

const columns = (remove: ((contact: BillingContact) => void) | null): Column<BillingContact>[] => [
  { key: 'name', title: t('Name'), width: 'minmax(140px, 1fr)', cell: (c) => c.fullName },
  { key: 'email', title: t('Email'), width: 'minmax(160px, 1.4fr)', cell: (c) => c.email },
  {
    key: 'phone',
    title: t('Phone'),
    width: '160px',
    wideOnly: true,
    cell: (c) => c.phone && <PhoneNumber value={c.phone} />,
  },
  { key: 'ways', title: t('Gets'), width: '140px', wideOnly: true, cell: waysOf },
  {
    key: 'do',
    title: '',
    width: '40px',
    align: 'end',
    cell: (contact) =>
      remove && (
        <RowMenu name={contact.fullName}>
          <Menu.Item color="red" onClick={() => remove(contact)}>
            {t('Remove')}
          </Menu.Item>
        </RowMenu>
      ),
  },
];

/** Asks, then removes a contact. */
function useRemoveContact(companyId: number): (contact: BillingContact) => Promise<void> {
  const { mutate } = useApiMutation(contract.deleteBillingContact, {
    success: t('Billing contact removed successfully'),
    invalidates: [contract.listBillingContacts],
  });
  return async ({ id, fullName }) => {
    const isSure = await confirm({
      title: t('Remove {name}?', { name: fullName }),
      body: t('They no longer hear of invoices and payments.'),
      confirmLabel: t('Remove'),
      danger: true,
    });
    if (isSure) await mutate({ params: { companyId, id } });
  };
}
