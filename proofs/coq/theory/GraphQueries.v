(** * Counting in a graph: edges, degrees, triangles

    [kept n D g] is the graph that is left when edges are taken one after another, in an order that does not depend on the
    graph, each only if both its ends have fewer than D edges so far (Day, Li, Lyu 2016). No node has more than D edges in it.
    Two runs of this, on two graphs, are compared by what each node has so far. An edge that both graphs have never takes
    them further apart: where only one run takes it, in the other an end is full, so there the two come nearer by one, and at
    the other end they go apart by at most one. *)
From Coq Require Import Reals Lra Lia List ZArith Permutation.
From DPcore Require Import Metrics Norms Totals Sums Histograms Graphs.
Import ListNotations.
Set Implicit Arguments.

Notation graph := (nat -> nat -> bool).

(** ** Sums over the nodes *)
Definition over (n : nat) (f : nat -> Z) : Z := fold_right Z.add 0%Z (map f (seq 0 n)).

Lemma over_S n f : over (S n) f = (over n f + f n)%Z.
Proof.
  unfold over. rewrite seq_S, map_app. simpl. induction (map f (seq 0 n)) as [|a l IH]; simpl; lia.
Qed.

Lemma over_ext n f g : (forall v, (v < n)%nat -> f v = g v) -> over n f = over n g.
Proof. induction n as [|n IH]; intros H; [reflexivity|]. rewrite !over_S, IH, (H n); auto; lia. Qed.

Lemma over_le n f g : (forall v, (v < n)%nat -> (f v <= g v)%Z) -> (over n f <= over n g)%Z.
Proof. induction n as [|n IH]; intros H; [reflexivity|]. rewrite !over_S. specialize (IH (fun v L => H v (Nat.lt_lt_succ_r _ _ L))). specialize (H n (Nat.lt_succ_diag_r n)). lia. Qed.

Lemma over_plus n f g : over n (fun v => f v + g v)%Z = (over n f + over n g)%Z.
Proof. induction n as [|n IH]; [reflexivity|]. rewrite !over_S, IH. lia. Qed.

Lemma over_scale n k f : over n (fun v => k * f v)%Z = (k * over n f)%Z.
Proof. induction n as [|n IH]; [cbn; lia|]. rewrite !over_S, IH. lia. Qed.

Lemma over_none n f : (forall v, (v < n)%nat -> f v = 0%Z) -> over n f = 0%Z.
Proof. induction n as [|n IH]; intros H; [reflexivity|]. rewrite over_S, IH, (H n); auto; lia. Qed.

Lemma over_one n f g i : (i < n)%nat -> (forall v, v <> i -> g v = f v) -> over n g = (over n f + (g i - f i))%Z.
Proof.
  induction n as [|n IH]; intros L E; [lia|]. rewrite !over_S. destruct (Nat.eq_dec i n) as [->|N].
  - rewrite (over_ext g f); [lia|]. intros v V; apply E; lia.
  - rewrite IH by (auto; lia). rewrite (E n) by auto. lia.
Qed.

(** Where two nodes alone change. *)
Lemma over_two n f g i j : (i < n)%nat -> (j < n)%nat -> i <> j -> (forall v, v <> i -> v <> j -> g v = f v) ->
  over n g = (over n f + (g i - f i) + (g j - f j))%Z.
Proof.
  intros Li Lj N E. set (h := fun v => if Nat.eq_dec v i then g i else f v).
  rewrite (@over_one n h g j Lj), (@over_one n f h i Li).
  - unfold h. destruct (Nat.eq_dec i i), (Nat.eq_dec j i); try congruence; try lia.
  - intros v V; unfold h; destruct (Nat.eq_dec v i); congruence.
  - intros v V; unfold h; destruct (Nat.eq_dec v i); [congruence | now apply E].
Qed.

Lemma over_count n (p : nat -> bool) : over n (fun v => if p v then 1 else 0)%Z = Z.of_nat (length (filter p (seq 0 n))).
Proof.
  induction n as [|n IH]; [reflexivity|]. rewrite over_S, seq_S, filter_app, app_length, IH. simpl. destruct (p n); simpl; lia.
Qed.

(** ** The pairs of nodes, in one order *)
Fixpoint pairs (n : nat) : list (nat * nat) :=
  match n with O => [] | S n => pairs n ++ map (fun i => (i, n)) (seq 0 n) end.

Lemma in_pairs n i j : In (i, j) (pairs n) <-> (i < j < n)%nat.
Proof.
  induction n as [|n IH]; simpl; [lia|]. rewrite in_app_iff, IH, in_map_iff. split.
  - intros [H|(k & E & H)]; [lia|]. injection E as <- <-. apply in_seq in H. lia.
  - intros H. destruct (Nat.eq_dec j n) as [->|N]; [right; exists i; split; [reflexivity | apply in_seq; lia] | left; lia].
Qed.

Lemma pairs_once n : NoDup (pairs n).
Proof.
  induction n as [|n IH]; simpl; [constructor|].
  assert (A : NoDup (map (fun i => (i, n)) (seq 0 n))).
  { apply FinFun.Injective_map_NoDup; [intros a b E; congruence | apply seq_NoDup]. }
  assert (B : forall p, In p (pairs n) -> ~ In p (map (fun i => (i, n)) (seq 0 n))).
  { intros [i j] H K. apply in_pairs in H. apply in_map_iff in K. destruct K as (k & E & _). injection E as _ <-. lia. }
  revert IH B. generalize (pairs n) as l. induction l as [|p l IHl]; intros N B; simpl; [exact A|].
  inversion N as [|? ? Np Nl]; subst. constructor.
  - rewrite in_app_iff. intros [H|H]; [contradiction | exact (B p (or_introl eq_refl) H)].
  - apply IHl; [exact Nl | intros q Q; apply B; now right].
Qed.

(** ** Edges taken one after another *)
Section Kept.
Variables (n D : nat).

Definition room (s : nat -> nat) (p : nat * nat) : bool := (Nat.ltb (s (fst p)) D && Nat.ltb (s (snd p)) D)%bool.
Definition taken (g : graph) (s : nat -> nat) (p : nat * nat) : bool := (g (fst p) (snd p) && room s p)%bool.
Definition take (g : graph) (s : nat -> nat) (p : nat * nat) : nat -> nat :=
  if taken g s p then fun v => if (Nat.eqb v (fst p) || Nat.eqb v (snd p))%bool then S (s v) else s v else s.
Definition run (g : graph) (ps : list (nat * nat)) : nat -> nat := fold_left (take g) ps (fun _ => O).

(** How many of the edges taken each node has: its degree in the graph that is left. *)
Definition degree (g : graph) : nat -> nat := run g (pairs n).
Definition degrees (g : graph) : list nat := map (degree g) (seq 0 n).
(** Each edge is counted at both its ends. *)
Definition edges (g : graph) : Z := Z.div (over n (fun v => Z.of_nat (degree g v))) 2.

Lemma run_app g ps p : run g (ps ++ [p]) = take g (run g ps) p.
Proof. unfold run. now rewrite fold_left_app. Qed.

Lemma take_other g s p v : v <> fst p -> v <> snd p -> take g s p v = s v.
Proof.
  intros A B. unfold take. destruct (taken g s p); [|reflexivity].
  destruct (Nat.eqb_spec v (fst p)), (Nat.eqb_spec v (snd p)); simpl; congruence.
Qed.

Lemma take_at g s p v : v = fst p \/ v = snd p -> take g s p v = if taken g s p then S (s v) else s v.
Proof.
  intros A. unfold take. destruct (taken g s p); [|reflexivity].
  destruct (Nat.eqb_spec v (fst p)), (Nat.eqb_spec v (snd p)); simpl; try reflexivity; destruct A; congruence.
Qed.

Lemma degree_at_most g ps v : (run g ps v <= D)%nat.
Proof.
  induction ps as [|p ps IH] using rev_ind; [cbn; lia|]. rewrite run_app. unfold take.
  destruct (taken g (run g ps) p) eqn:T; [|exact IH]. unfold taken, room in T. apply andb_prop in T. destruct T as [_ T].
  apply andb_prop in T. destruct T as [A B]. apply Nat.ltb_lt in A, B.
  destruct (Nat.eqb_spec v (fst p)), (Nat.eqb_spec v (snd p)); subst; simpl; lia.
Qed.

(** *** Two runs *)
(** A potential that a step never raises by more than [c p]: then the sum of all [c p] bounds it at the end. *)
Lemma potential (phi : (nat -> nat) -> (nat -> nat) -> nat -> Z) (c : nat * nat -> Z) g h ps :
  (forall s t v, s v = O -> t v = O -> (phi s t v <= 0)%Z) ->
  (forall s t s' t' v, s v = s' v -> t v = t' v -> phi s t v = phi s' t' v) ->
  (forall p, In p ps -> (fst p < snd p < n)%nat) ->
  (forall p s t, In p ps -> let s' := take g s p in let t' := take h t p in (forall v, s v <= D /\ t v <= D)%nat ->
    (phi s' t' (fst p) - phi s t (fst p) + (phi s' t' (snd p) - phi s t (snd p)) <= c p)%Z) ->
  (over n (phi (run g ps) (run h ps)) <= fold_right Z.add 0 (map c ps))%Z.
Proof.
  intros Z0 Loc. induction ps as [|p ps IH] using rev_ind; intros In_n Step.
  - cbn [map fold_right]. rewrite <- (@over_none n (fun _ => 0%Z)) by reflexivity. apply over_le. intros v _. now apply Z0.
  - rewrite !run_app, map_app, fold_right_app. cbn [map fold_right].
    assert (F : forall l x, (fold_right Z.add x l = fold_right Z.add 0 l + x)%Z).
    { intros l x. induction l as [|a l IHl]; cbn [fold_right]; [lia|]. rewrite IHl. lia. }
    rewrite F. assert (I : In p (ps ++ [p])) by (apply in_app_iff; right; now left).
    specialize (IH (fun q Q => In_n q (proj2 (in_app_iff _ _ _) (or_introl Q))) (fun q s t Q => Step q s t (proj2 (in_app_iff _ _ _) (or_introl Q)))).
    specialize (Step p (run g ps) (run h ps) I (fun v => conj (degree_at_most g ps v) (degree_at_most h ps v))). cbv zeta in Step.
    specialize (In_n p I).
    rewrite (@over_two n (phi (run g ps) (run h ps)) _ (fst p) (snd p)); [lia | lia | lia | lia |].
    intros v A B. apply Loc; now apply take_other.
Qed.

Definition differs (g h : graph) (p : nat * nat) : bool := negb (Bool.eqb (g (fst p) (snd p)) (h (fst p) (snd p))).
Definition apart (s t : nat -> nat) (v : nat) : Z := Z.abs (Z.of_nat (s v) - Z.of_nat (t v)).

(** An edge that both have, or neither, takes the runs no further apart. *)
Lemma same_edge g h s t p : (forall v, s v <= D /\ t v <= D)%nat -> g (fst p) (snd p) = h (fst p) (snd p) ->
  let s' := take g s p in let t' := take h t p in
  (apart s' t' (fst p) - apart s t (fst p) + (apart s' t' (snd p) - apart s t (snd p)) <= 0)%Z.
Proof.
  intros M E s' t'. unfold apart, s', t'. rewrite !take_at by auto. unfold taken, room. rewrite E.
  pose proof (M (fst p)). pose proof (M (snd p)).
  destruct (h (fst p) (snd p)); cbn [andb]; [|lia].
  destruct (Nat.ltb_spec (s (fst p)) D), (Nat.ltb_spec (s (snd p)) D), (Nat.ltb_spec (t (fst p)) D), (Nat.ltb_spec (t (snd p)) D);
  cbn [andb]; lia.
Qed.

(** Any edge takes an end up by at most one in each run, both ends alike. *)
Lemma any_edge g h s t p : let s' := take g s p in let t' := take h t p in
  (apart s' t' (fst p) - apart s t (fst p) + (apart s' t' (snd p) - apart s t (snd p)) <= 2)%Z.
Proof.
  intros s' t'. unfold apart, s', t'. rewrite !take_at by auto.
  destruct (taken g s p), (taken h t p); lia.
Qed.

Lemma sum_where (p : nat * nat -> bool) k ps : (0 <= k)%Z ->
  fold_right Z.add 0%Z (map (fun q => if p q then k else 0)%Z ps) = (k * Z.of_nat (length (filter p ps)))%Z.
Proof. intros K. induction ps as [|q ps IH]; simpl; [lia|]. rewrite IH. destruct (p q); simpl length; lia. Qed.

(** Edges that differ: each moves two degrees by one. *)
Lemma degrees_edge g h : (over n (apart (degree g) (degree h)) <= 2 * Z.of_nat (length (filter (differs g h) (pairs n))))%Z.
Proof.
  rewrite <- (@sum_where (differs g h) 2) by lia. unfold degree.
  apply (@potential apart (fun q => if differs g h q then 2 else 0)%Z).
  - intros s t v A B. unfold apart. rewrite A, B. reflexivity.
  - intros s t s' t' v A B. unfold apart. now rewrite A, B.
  - intros [i j] P. now apply in_pairs in P.
  - intros p s t _ s' t' M. unfold differs. destruct (Bool.eqb _ _) eqn:E; cbn [negb].
    + apply Bool.eqb_prop in E. now apply same_edge.
    + apply any_edge.
Qed.

(** Nodes whose edges are drawn anew: those outside move by no more in all than those inside have. *)
Variable inside : nat -> bool.
Definition beyond (s t : nat -> nat) (v : nat) : Z :=
  if inside v then (- Z.of_nat (s v) - Z.of_nat (t v))%Z else apart s t v.

Lemma degrees_node g h :
  (forall i j, (i < j < n)%nat -> inside i = false -> inside j = false -> g i j = h i j) ->
  (over n (beyond (degree g) (degree h)) <= 0)%Z.
Proof.
  intros Same. replace 0%Z with (fold_right Z.add 0%Z (map (fun _ : nat * nat => 0%Z) (pairs n)))
    by (induction (pairs n) as [|q ps IH]; simpl; [reflexivity | now rewrite IH]).
  unfold degree. apply (@potential beyond (fun _ => 0%Z)).
  - intros s t v A B. unfold beyond, apart. rewrite A, B. destruct (inside v); cbn; lia.
  - intros s t s' t' v A B. unfold beyond, apart. now rewrite A, B.
  - intros [i j] P. now apply in_pairs in P.
  - intros p s t P s' t' M. unfold beyond.
    destruct (inside (fst p)) eqn:A, (inside (snd p)) eqn:B.
    1-3: unfold apart, s', t'; rewrite !take_at by auto; destruct (taken g s p), (taken h t p); lia.
    destruct p as [i j]. apply in_pairs in P. exact (@same_edge g h s t (i, j) M (Same i j P A B)).
Qed.
End Kept.

(** ** What the queries say *)
Open Scope R_scope.

(** Where lists differ in so many places, so many entries were replaced. *)
Lemma replaced (f g : nat -> nat) l :
  let ds := filter (fun v => negb (Nat.eqb (f v) (g v))) l in differ (map f l) (map g l) (map f ds) (map g ds).
Proof.
  induction l as [|v l (c & P & Q)]; cbn zeta in *; [exists []; split; constructor|].
  cbn [map filter]. destruct (Nat.eqb_spec (f v) (g v)) as [E|E]; cbn [negb map].
  - exists (f v :: c). rewrite <- E. split; cbn [app]; now constructor.
  - exists c. split; (eapply Permutation_trans; [apply perm_skip; eassumption | apply Permutation_middle]).
Qed.

Lemma degrees_replaced n (f g : nat -> nat) k :
  (over n (fun v => if negb (Nat.eqb (f v) (g v)) then 1 else 0) <= k)%Z ->
  change_one (IZR k) (map f (seq 0 n)) (map g (seq 0 n)).
Proof.
  rewrite over_count. intros H. exists (map f (filter (fun v => negb (Nat.eqb (f v) (g v))) (seq 0 n))),
    (map g (filter (fun v => negb (Nat.eqb (f v) (g v))) (seq 0 n))).
  split; [apply replaced|]. rewrite !map_length. split; [reflexivity|]. rewrite INR_IZR_INZ. now apply IZR_le.
Qed.

Section Queries.
Variables (n D : nat).

(** How many nodes have 0, 1, ..., D edges, when edges are taken up to D at each node. *)
Definition degree_histogram (g : graph) : list Z := histogram Nat.eq_dec (fun k => k) (seq 0 (S D)) (degrees n D g).
Definition edge_count (g : graph) : Z := edges n D g.

Lemma edges_differ d g h : edge_distance n d g h -> IZR (Z.of_nat (length (filter (differs g h) (pairs n)))) <= d.
Proof.
  intros (es & H & E). apply Rle_trans with (2 := E). rewrite INR_IZR_INZ. apply IZR_le, inj_le.
  apply NoDup_incl_length; [apply NoDup_filter, pairs_once|]. intros [i j] I. apply filter_In in I. destruct I as [I X].
  apply in_pairs in I. apply H. split; [exact I|]. unfold differs in X. cbn [fst snd] in X. intros Y. rewrite Y, Bool.eqb_reflx in X. discriminate.
Qed.

(** One edge moves two degrees by one: two nodes leave their bins. *)
Theorem degree_histogram_edge : stable (edge_distance n) (l1 1) (fun d => 4 * d) degree_histogram.
Proof.
  intros d g h E. pose proof (edges_differ E) as C. pose proof (degrees_edge n D g h) as B.
  set (k := Z.of_nat (length (filter (differs g h) (pairs n)))) in *.
  replace (4 * d) with (2 * (2 * d)) by ring.
  apply (proj1 (@histogram_l1_change_one _ _ Nat.eq_dec (fun k => k) (seq 0 (S D)) (seq_NoDup _ _))).
  apply within_le with (IZR (2 * k)); [rewrite mult_IZR; lra|]. apply degrees_replaced.
  eapply Z.le_trans; [|exact B]. apply over_le. intros v _. unfold apart. destruct (Nat.eqb_spec (degree n D g v) (degree n D h v)); cbn [negb]; lia.
Qed.

(** Twice the edges are all degrees. *)
Lemma twice_edges g : (2 * edges n D g)%Z = over n (fun v => Z.of_nat (degree n D g v)).
Proof.
  unfold edges. enough (H : (over n (fun v => Z.of_nat (degree n D g v)) mod 2 = 0)%Z) by
    (rewrite (Z.div_mod (over n (fun v => Z.of_nat (degree n D g v))) 2) at 2 by lia; lia).
  unfold degree. assert (A : forall p, In p (pairs n) -> (fst p < snd p < n)%nat) by (intros [i j] P; now apply in_pairs in P).
  induction (pairs n) as [|p ps IH] using rev_ind.
  - rewrite over_none; [reflexivity|]. reflexivity.
  - specialize (IH (fun q Q => A q (in_or_app ps [p] q (or_introl Q)))). specialize (A p (in_elt p ps [])).
    rewrite run_app. rewrite (@over_two n (fun v => Z.of_nat (run D g ps v)) _ (fst p) (snd p)); [|lia|lia|lia|].
    + rewrite !take_at by auto. destruct (taken D g (run D g ps) p); rewrite ?Nat2Z.inj_succ.
      * replace (_ + _ + _)%Z with (over n (fun v => Z.of_nat (run D g ps v)) + 1 * 2)%Z by lia. now rewrite Z_mod_plus_full.
      * rewrite !Z.sub_diag, !Z.add_0_r. exact IH.
    + intros v V W. now rewrite take_other.
Qed.

Theorem edge_count_edge : stable (edge_distance n) (absolute 1) (fun d => d) edge_count.
Proof.
  intros d g h E. pose proof (edges_differ E) as C. pose proof (degrees_edge n D g h) as B.
  set (k := Z.of_nat (length (filter (differs g h) (pairs n)))) in *.
  cbn. rewrite Rmult_1_l, <- minus_IZR, <- abs_IZR. apply Rle_trans with (IZR k); [|exact C]. apply IZR_le. unfold edge_count.
  pose proof (twice_edges g). pose proof (twice_edges h).
  assert (Up : (over n (fun v => Z.of_nat (degree n D h v)) - over n (fun v => Z.of_nat (degree n D g v)) <= over n (apart (degree n D g) (degree n D h)))%Z).
  { enough (over n (fun v => Z.of_nat (degree n D h v)) <= over n (fun v => Z.of_nat (degree n D g v) + apart (degree n D g) (degree n D h) v))%Z
      by (rewrite over_plus in *; lia). apply over_le. intros v _. unfold apart. lia. }
  assert (Dn : (over n (fun v => Z.of_nat (degree n D g v)) - over n (fun v => Z.of_nat (degree n D h v)) <= over n (apart (degree n D g) (degree n D h)))%Z).
  { enough (over n (fun v => Z.of_nat (degree n D g v)) <= over n (fun v => Z.of_nat (degree n D h v) + apart (degree n D g) (degree n D h) v))%Z
      by (rewrite over_plus in *; lia). apply over_le. intros v _. unfold apart. lia. }
  lia.
Qed.

Lemma over_inside ns (f : nat -> Z) (k : Z) : (forall v, 0 <= f v <= k)%Z ->
  (over n (fun v => if existsb (Nat.eqb v) ns then f v else 0) <= k * Z.of_nat (length ns))%Z.
Proof.
  intros F. assert (K : (0 <= k)%Z) by (specialize (F O); lia).
  apply Z.le_trans with (over n (fun v => if existsb (Nat.eqb v) ns then k else 0%Z)).
  - apply over_le. intros v _. specialize (F v). destruct (existsb _ _); lia.
  - replace (over n (fun v => if existsb (Nat.eqb v) ns then k else 0%Z)) with (k * over n (fun v => if existsb (Nat.eqb v) ns then 1 else 0))%Z
      by (rewrite <- over_scale; apply over_ext; intros v _; destruct (existsb _ _); lia).
    apply Z.mul_le_mono_nonneg_l; [exact K|]. rewrite over_count. apply inj_le, NoDup_incl_length; [apply NoDup_filter, seq_NoDup|].
    intros v I. apply filter_In in I. destruct I as [_ I]. apply existsb_exists in I. destruct I as (w & J & E). apply Nat.eqb_eq in E. now subst.
Qed.

Lemma outside_same ns g h : (forall i j, edge_differs n g h i j -> In i ns \/ In j ns) ->
  forall i j, (i < j < n)%nat -> existsb (Nat.eqb i) ns = false -> existsb (Nat.eqb j) ns = false -> g i j = h i j.
Proof.
  intros H i j L A B. destruct (Bool.bool_dec (g i j) (h i j)) as [E|E]; [exact E|]. exfalso.
  assert (N : forall v, existsb (Nat.eqb v) ns = false -> ~ In v ns).
  { intros v F J. assert (existsb (Nat.eqb v) ns = true); [|congruence]. apply existsb_exists. exists v. split; [exact J | apply Nat.eqb_refl]. }
  destruct (H i j (conj L E)) as [J|J]; [exact (N _ A J) | exact (N _ B J)].
Qed.

(** 2 D others leave their bins, or fewer and the node itself: it does only if it has not D edges in both. *)
Theorem degree_histogram_node : stable (node_distance n) (l1 1) (fun d => 4 * INR D * d) degree_histogram.
Proof.
  intros d g h (ns & H & E). set (inside := fun v => existsb (Nat.eqb v) ns).
  pose proof (@degrees_node n D inside g h (fun i j L => @outside_same ns g h H i j L)) as B.
  assert (P : 0 <= INR D) by apply pos_INR.
  replace (4 * INR D * d) with (2 * (2 * INR D * d)) by ring.
  apply (proj1 (@histogram_l1_change_one _ _ Nat.eq_dec (fun k => k) (seq 0 (S D)) (seq_NoDup _ _))).
  apply within_le with (IZR (2 * Z.of_nat D * Z.of_nat (length ns))).
  { rewrite !mult_IZR, <- !INR_IZR_INZ. apply Rmult_le_compat_l; [lra | exact E]. }
  apply degrees_replaced.
  set (moves := fun v => (Z.of_nat (degree n D g v) + Z.of_nat (degree n D h v) +
    (if negb (Nat.eqb (degree n D g v) (degree n D h v)) then 1 else 0))%Z).
  assert (M : forall v, (0 <= moves v <= 2 * Z.of_nat D)%Z).
  { intros v. unfold moves. pose proof (degree_at_most D g (pairs n) v). pose proof (degree_at_most D h (pairs n) v). unfold degree in *.
    destruct (Nat.eqb_spec (run D g (pairs n) v) (run D h (pairs n) v)); cbn [negb]; lia. }
  eapply Z.le_trans; [|apply (@over_inside ns moves (2 * Z.of_nat D) M)].
  enough (over n (fun v => if negb (Nat.eqb (degree n D g v) (degree n D h v)) then 1 else 0) <=
    over n (fun v => beyond inside (degree n D g) (degree n D h) v +
      (if existsb (Nat.eqb v) ns then moves v else 0)))%Z by (rewrite over_plus in *; lia).
  apply over_le. intros v _. unfold beyond, inside, apart, moves. destruct (existsb _ _), (Nat.eqb_spec (degree n D g v) (degree n D h v)); cbn [negb]; lia.
Qed.

(** Without the nodes whose edges were drawn anew both graphs are one; with them, at most D edges more for each. *)
Section Without.
Variable inside : nat -> bool.
Definition without (g : graph) : graph := fun i j => (g i j && negb (inside i) && negb (inside j))%bool.

Lemma run_ext g h ps : (forall p, In p ps -> g (fst p) (snd p) = h (fst p) (snd p)) -> forall v, run D g ps v = run D h ps v.
Proof.
  induction ps as [|p ps IH] using rev_ind; intros E v; [reflexivity|]. rewrite !run_app.
  assert (IH' : forall v, run D g ps v = run D h ps v) by (apply IH; intros q Q; apply E, in_or_app; now left).
  unfold take, taken, room. rewrite !IH', (E p (in_elt p ps [])). destruct (_ && _)%bool; now rewrite IH'.
Qed.

Lemma never g s p v : inside v = true -> v = fst p \/ v = snd p -> taken D (without g) s p = false.
Proof.
  intros I E. unfold taken, without. destruct (g (fst p) (snd p)); [|reflexivity].
  destruct E as [-> | ->]; rewrite I; cbn [negb andb]; [reflexivity | now rewrite Bool.andb_false_r].
Qed.

Lemma none_inside g ps v : inside v = true -> run D (without g) ps v = O.
Proof.
  intros I. induction ps as [|p ps IH] using rev_ind; [reflexivity|]. rewrite run_app. unfold take.
  destruct (taken D (without g) (run D (without g) ps) p) eqn:T; [|exact IH].
  destruct (Nat.eqb_spec v (fst p)) as [A|A]; [rewrite (@never g _ p v I (or_introl A)) in T; discriminate|].
  destruct (Nat.eqb_spec v (snd p)) as [B|B]; [rewrite (@never g _ p v I (or_intror B)) in T; discriminate|]. exact IH.
Qed.

Lemma edges_without g : (0 <= edges n D g - edges n D (without g) <=
  over n (fun v => if inside v then Z.of_nat (degree n D g v) else 0))%Z.
Proof.
  assert (B : (over n (beyond inside (degree n D g) (degree n D (without g))) <= 0)%Z).
  { apply degrees_node. intros i j _ I J. unfold without. rewrite I, J. cbn [negb]. now rewrite !Bool.andb_true_r. }
  pose proof (twice_edges g) as Eg. pose proof (twice_edges (without g)) as Ew.
  assert (Z1 : (over n (fun v => Z.of_nat (degree n D g v)) <=
    over n (fun v => Z.of_nat (degree n D (without g) v) + (beyond inside (degree n D g) (degree n D (without g)) v +
      2 * (if inside v then Z.of_nat (degree n D g v) else 0))))%Z).
  { apply over_le. intros v _. unfold beyond, apart. destruct (inside v) eqn:I; [unfold degree; rewrite (none_inside g _ I); lia | lia]. }
  assert (Z2 : (over n (fun v => Z.of_nat (degree n D (without g) v)) <=
    over n (fun v => Z.of_nat (degree n D g v) + beyond inside (degree n D g) (degree n D (without g)) v))%Z).
  { apply over_le. intros v _. unfold beyond, apart. destruct (inside v) eqn:I; [unfold degree; rewrite (none_inside g _ I); lia | lia]. }
  rewrite !over_plus, over_scale in Z1. rewrite over_plus in Z2. lia.
Qed.
End Without.

Theorem edge_count_node : stable (node_distance n) (absolute 1) (fun d => INR D * d) edge_count.
Proof.
  intros d g h (ns & H & E). set (inside := fun v => existsb (Nat.eqb v) ns).
  pose proof (edges_without inside g) as Bg. pose proof (edges_without inside h) as Bh.
  assert (Same : edges n D (without inside g) = edges n D (without inside h)).
  { unfold edges. f_equal. apply over_ext. intros v _. f_equal. unfold degree. apply run_ext. intros [i j] P. apply in_pairs in P.
    cbn [fst snd]. unfold without. destruct (inside i) eqn:I, (inside j) eqn:J; cbn [negb]; rewrite ?Bool.andb_false_r, ?Bool.andb_true_r; try reflexivity.
    exact (@outside_same ns g h H i j P I J). }
  assert (S : forall f, (over n (fun v => if inside v then Z.of_nat (degree n D f v) else 0) <= Z.of_nat D * Z.of_nat (length ns))%Z).
  { intros f. apply (@over_inside ns (fun v => Z.of_nat (degree n D f v)) (Z.of_nat D)). intros v.
    pose proof (degree_at_most D f (pairs n) v). unfold degree. lia. }
  pose proof (S g). pose proof (S h).
  cbn. rewrite Rmult_1_l, <- minus_IZR, <- abs_IZR. apply Rle_trans with (IZR (Z.of_nat D * Z.of_nat (length ns))).
  - apply IZR_le. unfold edge_count. lia.
  - rewrite mult_IZR, <- !INR_IZR_INZ. apply Rmult_le_compat_l; [apply pos_INR | exact E].
Qed.

(** ** Triangles *)
Definition over_pairs (d : nat -> nat -> Z) : Z := over n (fun j => over j (fun i => d i j)).
Definition triangle (g : graph) (k i j : nat) : Z := if (g k i && g k j && g i j)%bool then 1 else 0.
Definition triangles (g : graph) : Z := over n (fun j => over j (fun i => over i (fun k => triangle g k i j))).
End Queries.

Lemma over_const n c : over n (fun _ => c) = (Z.of_nat n * c)%Z.
Proof. induction n as [|n IH]; [reflexivity|]. rewrite over_S, IH. lia. Qed.

Lemma each_pair n (f : nat -> Z) : over n (fun i => over i (fun k => f k + f i)%Z) = ((Z.of_nat n - 1) * over n f)%Z.
Proof.
  induction n as [|n IH]; [reflexivity|]. rewrite !over_S, IH, over_plus.
  rewrite over_const. lia.
Qed.

(** Each pair of nodes is in n - 2 triples. *)
Lemma each_triple n (d : nat -> nat -> Z) :
  over n (fun j => over j (fun i => over i (fun k => d k i + d k j + d i j)))%Z = ((Z.of_nat n - 2) * over_pairs n d)%Z.
Proof.
  unfold over_pairs. induction n as [|n IH]; [reflexivity|]. rewrite !over_S, IH.
  replace (over n (fun i => over i (fun k => d k i + d k n + d i n)))%Z with
    (over n (fun i => over i (fun k => d k i) + over i (fun k => d k n + d i n)))%Z.
  - rewrite over_plus, (each_pair n (fun i => d i n)). lia.
  - apply over_ext. intros i _. rewrite <- over_plus. apply over_ext. intros k _. lia.
Qed.

Lemma differing_pairs n g h : over_pairs n (fun i j => if differs g h (i, j) then 1 else 0)%Z =
  Z.of_nat (length (filter (differs g h) (pairs n))).
Proof.
  unfold over_pairs. induction n as [|n IH]; [reflexivity|]. rewrite over_S, IH, over_count. cbn [pairs].
  rewrite filter_app, app_length, Nat2Z.inj_add. f_equal. f_equal.
  induction (seq 0 n) as [|i l IHl]; [reflexivity|]. cbn [map filter]. destruct (differs g h (i, n)); cbn [length]; now rewrite IHl.
Qed.

Theorem triangles_edge n : (2 <= n)%nat -> stable (edge_distance n) (absolute 1) (fun d => (INR n - 2) * d) (triangles n).
Proof.
  intros N d g h E. pose proof (edges_differ E) as C.
  set (c := fun i j => if differs g h (i, j) then 1%Z else 0%Z).
  assert (One : forall k i j, (Z.abs (triangle g k i j - triangle h k i j) <= c k i + c k j + c i j)%Z).
  { intros k i j. unfold triangle, c, differs. cbn [fst snd].
    destruct (g k i), (g k j), (g i j), (h k i), (h k j), (h i j); cbn; lia. }
  assert (T : forall f f', (forall k i j, Z.abs (triangle f k i j - triangle f' k i j) <= c k i + c k j + c i j)%Z ->
    (triangles n f <= triangles n f' + (Z.of_nat n - 2) * over_pairs n c)%Z).
  { intros f f' A. rewrite <- each_triple. unfold triangles. rewrite <- over_plus. apply over_le. intros j _. rewrite <- over_plus.
    apply over_le. intros i _. rewrite <- over_plus. apply over_le. intros k _. specialize (A k i j). lia. }
  pose proof (T g h One) as G. assert (K : (triangles n h <= triangles n g + (Z.of_nat n - 2) * over_pairs n c)%Z) by (apply T; intros k i j; specialize (One k i j); lia).

  cbn. rewrite Rmult_1_l, <- minus_IZR, <- abs_IZR.
  apply Rle_trans with (IZR ((Z.of_nat n - 2) * over_pairs n c)); [apply IZR_le; lia|].
  unfold c. rewrite differing_pairs, mult_IZR, minus_IZR, <- INR_IZR_INZ. apply Rmult_le_compat_l; [|exact C].
  apply le_INR in N. simpl INR in N. lra.
Qed.
