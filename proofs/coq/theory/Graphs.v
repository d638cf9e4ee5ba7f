(** * Graphs on the nodes 0, ..., n-1

    [g i j], for i < j, says whether there is an edge. Graphs are as far apart as the fewest edges, or the fewest nodes, that
    account for every edge that differs. *)
From Coq Require Import Reals Lra Lia List.
From DPcore Require Import Metrics.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Graphs.
Variable n : nat.
Notation graph := (nat -> nat -> bool).

Definition edge_differs (g h : graph) (i j : nat) := (i < j < n)%nat /\ g i j <> h i j.

(** EdgeDistance: edges added plus edges removed. *)
Definition edge_distance : metric graph.
Proof.
  refine {| within := fun d g h => exists es, (forall i j, edge_differs g h i j -> In (i, j) es) /\ INR (length es) <= d |}.
  - intros d g h (es & H & E). exists es; split; [|exact E]. intros i j [I N]; apply H; split; auto.
  - intros d g h (es & _ & E). pose proof (pos_INR (length es)); lra.
  - intros d d' g h H (es & K & E). exists es; split; [exact K | lra].
Defined.

(** NodeDistance: nodes whose edges are drawn anew. *)
Definition node_distance : metric graph.
Proof.
  refine {| within := fun d g h => exists ns, (forall i j, edge_differs g h i j ->
    In i ns \/ In j ns) /\ INR (length ns) <= d |}.
  - intros d g h (ns & H & E). exists ns; split; [|exact E]. intros i j [I N]; apply H; split; auto.
  - intros d g h (ns & _ & E). pose proof (pos_INR (length ns)); lra.
  - intros d d' g h H (ns & K & E). exists ns; split; [exact K | lra].
Defined.

(** One end of each edge that differs touches all of them. *)
Theorem edge_to_node : stable edge_distance node_distance (fun d => d) (fun g => g).
Proof.
  intros d g h (es & H & E). exists (map fst es). rewrite map_length. split; [|exact E].
  intros i j D. left. change i with (fst (i, j)). apply in_map, H, D.
Qed.

(** All pairs in which a node may be. *)
Definition at_node (v : nat) : list (nat * nat) := map (fun w => (min v w, max v w)) (remove Nat.eq_dec v (seq 0 n)).

Lemma at_node_length v : (v < n)%nat -> (length (at_node v) <= n - 1)%nat.
Proof.
  intros H. unfold at_node. rewrite map_length.
  assert (length (remove Nat.eq_dec v (seq 0 n)) < length (seq 0 n))%nat by (apply remove_length_lt, in_seq; lia).
  rewrite seq_length in H0. lia.
Qed.

Lemma in_at_node v w : (w < n)%nat -> v <> w -> In (min v w, max v w) (at_node v).
Proof.
  intros W N. apply (in_map (fun w => (min v w, max v w))), in_in_remove; [congruence | apply in_seq; lia].
Qed.

(** A node has at most n - 1 edges. *)
Theorem node_to_edge : (0 < n)%nat -> stable node_distance edge_distance (fun d => (INR n - 1) * d) (fun g => g).
Proof.
  intros n0 d g h (ns & H & E). set (inside := filter (fun v => Nat.ltb v n) ns). exists (flat_map at_node inside). split.
  - intros i j D. pose proof D as [I _]. apply in_flat_map. destruct (H i j D) as [V|V].
    + exists i. split; [apply filter_In; split; [exact V | apply Nat.ltb_lt; lia]|].
      replace (i, j) with (min i j, max i j) by (f_equal; lia). apply in_at_node; lia.
    + exists j. split; [apply filter_In; split; [exact V | apply Nat.ltb_lt; lia]|].
      replace (i, j) with (min j i, max j i) by (f_equal; lia). apply in_at_node; lia.
  - assert (L : (length (flat_map at_node inside) <= (n - 1) * length inside)%nat).
    { assert (K : forall v, In v inside -> (v < n)%nat) by (intros v I; apply filter_In in I; now apply Nat.ltb_lt).
      clearbody inside. induction inside as [|v vs IH]; simpl; [lia|]. rewrite app_length.
      pose proof (at_node_length (K v (or_introl eq_refl))). specialize (IH (fun v I => K v (or_intror I))). lia. }
    assert (F : (length inside <= length ns)%nat) by (unfold inside; clear; induction ns as [|v ns IH]; simpl;
      [lia | destruct (Nat.ltb v n); simpl; lia]).
    replace (INR n - 1) with (INR (n - 1)) by (rewrite minus_INR by lia; reflexivity).
    apply Rle_trans with (INR ((n - 1) * length ns)); [apply le_INR; nia|]. rewrite mult_INR.
    apply Rmult_le_compat_l; [apply pos_INR | exact E].
Qed.

(** ** Both count steps: one edge, or one node, after the other *)
Theorem whole_edge_distance : whole edge_distance.
Proof.
  apply whole_of_reach; [intros d x y _; exists []; split; [intros i j [_ N]; congruence | simpl; lra]|].
  intros d g h (es & H & E). exists (length es); split; [exact E|]. clear d E. revert h H.
  induction es as [|[a b] es IH]; intros h H; simpl; [exists []; split; [exact H | simpl; lra]|].
  exists (fun i j => if (Nat.eqb i a && Nat.eqb j b)%bool then g i j else h i j). split.
  - apply IH. intros i j [B N]. destruct (Nat.eqb_spec i a), (Nat.eqb_spec j b); simpl in N; try congruence;
    (destruct (H i j (conj B N)) as [X|X]; [congruence | exact X]).
  - exists [(a, b)]. split; [|simpl; lra]. intros i j [B N].
    destruct (Nat.eqb_spec i a), (Nat.eqb_spec j b); subst; simpl in N; try congruence. now left.
Qed.

Theorem whole_node_distance : whole node_distance.
Proof.
  apply whole_of_reach; [intros d x y _; exists []; split; [intros i j [_ N]; congruence | simpl; lra]|].
  intros d g h (ns & H & E). exists (length ns); split; [exact E|]. clear d E. revert h H.
  induction ns as [|v ns IH]; intros h H; simpl.
  - exists []; split; [exact H | simpl; lra].
  - exists (fun i j => if (Nat.eqb i v || Nat.eqb j v)%bool then g i j else h i j). split.
    + apply IH. intros i j [B N]. destruct (Nat.eqb_spec i v), (Nat.eqb_spec j v); simpl in N; try congruence.
      destruct (H i j (conj B N)) as [[X|X]|[X|X]]; try congruence; auto.
    + exists [v]. split; [|simpl; lra]. intros i j [B N].
      destruct (Nat.eqb_spec i v), (Nat.eqb_spec j v); subst; simpl in N; try congruence; [left | left | right]; now left.
Qed.
End Graphs.
