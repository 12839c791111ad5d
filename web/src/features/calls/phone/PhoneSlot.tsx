import { Component, lazy, Suspense, type ComponentType } from 'react';
import { importWithRetry, useCompanyId, usePermission, useUser } from '#ui';
import { firstScreenReady } from '../../../shared/first-screen.ts';

// Loaded after the screen, which it must not delay.
const loadPhone = () =>
  firstScreenReady.then(() => importWithRetry(() => import('./PhoneDock.tsx')));
const Dock = lazy(loadPhone);
const Overlay = lazy(async () => ({ default: (await loadPhone()).PhoneOverlay }));

/** The in-app phone at the foot of the rail, for users who may call. */
export const PhoneSlot = () => <Slot part={Dock} />;
/** The phone's panels, mounted once at any screen width: connection, call panel and dial pad. */
export const PhoneOverlaySlot = () => <Slot part={Overlay} />;

function Slot({ part: Part }: { part: ComponentType }) {
  const mayCall = usePermission('calling.use');
  const companyId = useCompanyId();
  // Staff viewing another company have no phone there.
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

/** Keeps an error in the phone from taking the screen down. */
class PhoneErrorBoundary extends Component<{ children: React.ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }
  override render(): React.ReactNode {
    return this.state.broken ? null : this.props.children;
  }
}
