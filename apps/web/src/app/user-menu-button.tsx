import { lazy, Suspense, useState } from 'react';
import { UserIcon } from './user-icon.tsx';

const loadMenu = () => import('./user-menu.tsx');
const UserMenu = lazy(async () => ({ default: (await loadMenu()).UserMenu }));

/** Loads the menu when the pointer or the focus comes near, at the latest when it is pressed. */
export function UserMenuButton() {
  const [isWanted, setIsWanted] = useState(false);
  // A failure is shown when the button is pressed.
  const prepare = () => void loadMenu().catch(() => undefined);
  if (!isWanted)
    return (
      <UserIcon
        aria-haspopup="menu"
        aria-expanded={false}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setIsWanted(true)}
      />
    );
  return (
    <Suspense fallback={<UserIcon aria-busy />}>
      <UserMenu />
    </Suspense>
  );
}
