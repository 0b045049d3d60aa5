import type { Syscall } from "./syscall-numbers.ts";

/** The errno of a refused call. */
export const ERRNO = { EPERM: 1, ENOSYS: 38, EPROTONOSUPPORT: 93, EAFNOSUPPORT: 97 } as const;
export type Refusal = keyof typeof ERRNO;

/**
 * Looks at one argument. Only its low 32 bits, as the kernel does for each argument named here: a filter that looked at all
 * 64 would let a call pass that the kernel then takes for the refused one.
 */
export type Condition =
  | { argument: number; mask?: number; is: readonly number[] }
  | { argument: number; isNot: readonly number[] }
  | { argument: number; hasAnyOf: number };

/**
 * Refuses these calls if all conditions hold. The first rule that applies decides. A call without a rule is allowed.
 */
export interface Rule {
  refuse: readonly Syscall[];
  with: Refusal;
  when?: readonly Condition[];
}

const NAMESPACES = 0x7e02_0000; // CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
const [UNIX, INET, INET6, NETLINK] = [1, 2, 10, 16];
const SOCKET_KINDS = 0xf;
const [RAW, PACKET] = [3, 10];
const NETLINK_ROUTE = 0;
const TERMINAL_INJECTION = [0x5412, 0x541c, 0x5423, 0x541d]; // TIOCSTI, TIOCLINUX, TIOCSETD, TIOCCONS
const SET_IDENTITY = 0o6000; // setuid and setgid
const CREATES = 0o20000100; // O_CREAT, __O_TMPFILE: without them the mode is whatever lies there
const FILE_KIND = 0o170000;
const DEVICES = [0o020000, 0o060000];
const NO_RANDOMIZE = 0x0004_0000;
const ASK_PERSONALITY = 0xffff_ffff;

/**
 * System calls that sandboxed code does not need. Most would be refused anyway, for lack of rights. The filter protects
 * us when the kernel has a hole behind one of them.
 */
export const POLICY: readonly Rule[] = [
  // Other processes' memory and descriptors.
  {
    refuse: [
      "ptrace",
      "process_vm_readv",
      "process_vm_writev",
      "process_madvise",
      "process_mrelease",
      "kcmp",
      "pidfd_getfd",
    ],
    with: "EPERM",
  },
  // Large doors into the kernel.
  {
    refuse: [
      "bpf",
      "perf_event_open",
      "userfaultfd",
      "fanotify_init",
      "lookup_dcookie",
      "memfd_secret",
      "modify_ldt",
      "move_pages",
      "migrate_pages",
    ],
    with: "EPERM",
  },
  // Programs try these first and do without them on an older kernel.
  { refuse: ["io_uring_setup", "io_uring_enter", "io_uring_register"], with: "ENOSYS" },
  // Their arguments are behind a pointer, which a filter cannot read. Programs fall back to the older calls.
  { refuse: ["clone3", "openat2"], with: "ENOSYS" },
  // Mounts.
  {
    refuse: ["mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount"],
    with: "EPERM",
  },
  { refuse: ["fspick", "mount_setattr", "statmount", "listmount"], with: "EPERM" },
  // Namespaces.
  { refuse: ["unshare", "setns"], with: "EPERM" },
  { refuse: ["clone"], with: "EPERM", when: [{ argument: 0, hasAnyOf: NAMESPACES }] },
  // Keys belong to no namespace and outlive a process.
  { refuse: ["add_key", "request_key", "keyctl"], with: "EPERM" },
  // Sockets: no vsock (it reaches the hypervisor), packets, bluetooth, kernel crypto …
  {
    refuse: ["socket", "socketpair"],
    with: "EAFNOSUPPORT",
    when: [{ argument: 0, isNot: [UNIX, INET, INET6, NETLINK] }],
  },
  {
    refuse: ["socket"],
    with: "EPROTONOSUPPORT",
    when: [
      { argument: 0, is: [NETLINK] },
      { argument: 2, isNot: [NETLINK_ROUTE] },
    ],
  },
  {
    refuse: ["socket"],
    with: "EPERM",
    when: [
      { argument: 0, is: [INET, INET6] },
      { argument: 1, mask: SOCKET_KINDS, is: [RAW, PACKET] },
    ],
  },
  { refuse: ["ioctl"], with: "EPERM", when: [{ argument: 1, is: TERMINAL_INJECTION }] },
  // The machine.
  { refuse: ["kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module"], with: "EPERM" },
  { refuse: ["reboot", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "vhangup", "syslog"], with: "EPERM" },
  { refuse: ["settimeofday", "clock_settime", "clock_adjtime", "adjtimex"], with: "EPERM" },
  { refuse: ["sethostname", "setdomainname", "iopl", "ioperm"], with: "EPERM" },
  { refuse: ["personality"], with: "EPERM", when: [{ argument: 0, isNot: [0, NO_RANDOMIZE, ASK_PERSONALITY] }] },
  // Files by handle bypass the permissions of every directory on the way.
  { refuse: ["open_by_handle_at", "name_to_handle_at"], with: "EPERM" },
  // A setuid file would keep its rights on the host, and so would a device.
  { refuse: ["chmod", "fchmod"], with: "EPERM", when: [{ argument: 1, hasAnyOf: SET_IDENTITY }] },
  { refuse: ["fchmodat", "fchmodat2"], with: "EPERM", when: [{ argument: 2, hasAnyOf: SET_IDENTITY }] },
  { refuse: ["creat"], with: "EPERM", when: [{ argument: 1, hasAnyOf: SET_IDENTITY }] },
  {
    refuse: ["open"],
    with: "EPERM",
    when: [
      { argument: 1, hasAnyOf: CREATES },
      { argument: 2, hasAnyOf: SET_IDENTITY },
    ],
  },
  {
    refuse: ["openat"],
    with: "EPERM",
    when: [
      { argument: 2, hasAnyOf: CREATES },
      { argument: 3, hasAnyOf: SET_IDENTITY },
    ],
  },
  { refuse: ["mknod"], with: "EPERM", when: [{ argument: 1, hasAnyOf: SET_IDENTITY }] },
  { refuse: ["mknod"], with: "EPERM", when: [{ argument: 1, mask: FILE_KIND, is: DEVICES }] },
  { refuse: ["mknodat"], with: "EPERM", when: [{ argument: 2, hasAnyOf: SET_IDENTITY }] },
  { refuse: ["mknodat"], with: "EPERM", when: [{ argument: 2, mask: FILE_KIND, is: DEVICES }] },
  // Only very old programs use these.
  {
    refuse: ["create_module", "query_module", "get_kernel_syms", "nfsservctl", "uselib", "sysfs", "_sysctl", "ustat"],
    with: "ENOSYS",
  },
  {
    refuse: ["afs_syscall", "tuxcall", "security", "vserver", "getpmsg", "putpmsg", "epoll_ctl_old", "epoll_wait_old"],
    with: "ENOSYS",
  },
];
