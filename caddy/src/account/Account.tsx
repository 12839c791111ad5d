import { Button, Stack, Text } from '@mantine/core';
import {
  IconBan,
  IconBell,
  IconChevronRight,
  IconCreditCard,
  IconGift,
  IconLifebuoy,
  IconLock,
  IconPhoneCall,
  IconTrash,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import { formatPhoneNumber, Page, PageSkeleton, PersonAvatar, t } from '#ui';
import { signOut } from '../session.ts';
import { UsageMeters } from '../numbers/UsageMeters.tsx';
import { nameOf, nameOfPlan, useProfile } from './use-profile.ts';
import css from './Account.module.css';

const links = [
  { to: 'profile', label: () => t('Profile'), Icon: IconUserCircle },
  { to: 'plan', label: () => t('Plan'), Icon: IconCreditCard },
  { to: 'calls', label: () => t('Calls and voicemail'), Icon: IconPhoneCall },
  { to: 'contacts', label: () => t('Contacts'), Icon: IconUsers },
  { to: 'notifications', label: () => t('Notifications'), Icon: IconBell },
  { to: 'password', label: () => t('Password'), Icon: IconLock },
  { to: 'blocked', label: () => t('Blocked people'), Icon: IconBan },
  { to: 'invite', label: () => t('Invite friends'), Icon: IconGift },
  { to: 'support', label: () => t('Help and feedback'), Icon: IconLifebuoy },
  { to: 'delete', label: () => t('Delete account'), Icon: IconTrash },
] as const;

/** The account: who the person is, what the plan has left, and everything to set. */
export default function Account() {
  const { profile } = useProfile();
  if (!profile) return <PageSkeleton />;
  const { avatar, email, phone, plan } = profile;
  const hasName = Boolean(profile.firstName || profile.lastName);
  return (
    <Page title={t('Account')}>
      <Stack gap="md">
        <div className={css.person}>
          {avatar ? (
            <span className={css.emoji} aria-hidden>
              {avatar}
            </span>
          ) : (
            <PersonAvatar name={nameOf(profile)} size={56} />
          )}
          <div>
            <Text fw={600} size="lg">
              {nameOf(profile)}
            </Text>
            {hasName && (
              <Text size="sm" c="dimmed">
                {email ?? (phone && formatPhoneNumber(phone))}
              </Text>
            )}
            <Text size="sm" c="dimmed">
              {plan === 'free' ? t('Free plan') : t('Plan: {plan}', { plan: nameOfPlan(plan) })}
            </Text>
          </div>
        </div>
        <nav aria-label={t('Account')} className={css.links}>
          {links.map(({ to, label, Icon }) => (
            <a key={to} href={`/caddy/account/${to}`} className={css.link}>
              <Icon size={20} stroke={1.75} aria-hidden />
              <span className={css.label}>{label()}</span>
              <IconChevronRight size={16} aria-hidden />
            </a>
          ))}
        </nav>
        <UsageMeters />
        <Button variant="default" onClick={() => void signOut()}>
          {t('Sign out')}
        </Button>
      </Stack>
    </Page>
  );
}
