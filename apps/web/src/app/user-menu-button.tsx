import { useState } from 'react';
import { lazyPart } from '../ui/lazy-part.tsx';
import { UserIcon } from './user-icon.tsx';

const UserMenu = lazyPart(async () => (await import('./user-menu.tsx')).UserMenu, {
  Fallback: () => <UserIcon aria-busy />,
  isOverlay: true,
});

/** Loads the menu on hover or focus, at the latest on the press. */
export function UserMenuButton() {
  const [isWanted, setIsWanted] = useState(false);
  if (isWanted) return <UserMenu />;
  return (
    <UserIcon
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={UserMenu.preload}
      onFocus={UserMenu.preload}
      onClick={() => setIsWanted(true)}
    />
  );
}
