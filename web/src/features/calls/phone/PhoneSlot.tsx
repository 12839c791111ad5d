import { Component, lazy, Suspense, type ComponentType } from 'react';
import { importWithRetry, useCompanyId, usePermission, useUser } from '#ui';
import { firstScreenReady } from '../../../shared/first-screen.ts';

// The phone is fetched after the screen, never before it.
const loadPhone = () =>
  firstScreenReady.then(() => importWithRetry(() => import('./PhoneDock.tsx')));
const Dock = lazy(loadPhone);
const Overlay = lazy(async () => ({ default: (await loadPhone()).PhoneOverlay }));

/** The in-app phone at the foot of the rail, for those who may call. */
export const PhoneSlot = () => <Slot part={Dock} />;
/** Its other half, mounted once whatever the width: the connection, the panel of a call, the dial pad. */
export const PhoneOverlaySlot = () => <Slot part={Overlay} />;

function Slot({ part: Part }: { part: ComponentType }) {
  const mayCall = usePermission('calling.use');
  const companyId = useCompanyId();
  // Staff who look into a company that is not theirs have no phone there.
  const isMember = useUser()?.companies.some((c) => c.id === companyId) ?? false;
  if (!mayCall || !isMember) return null;
  return (
    <PhoneErrorBoundary>
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    </PhoneErrorBoundary>
  );
}

/** A phone that breaks must not take the screen with it. */
class PhoneErrorBoundary extends Component<{ children: React.ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }
  override render(): React.ReactNode {
    return this.state.broken ? null : this.props.children;
  }
}
