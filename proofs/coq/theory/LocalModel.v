(** * The local model: each row randomised alone, the reports in an order drawn fairly

    And two randomizers of one value: a bit for each answer, each flipped by a coin of its own; and one bit about the answer,
    which a public coin chooses. *)
From Coq Require Import Reals Lra Psatz Lia List Permutation Bool.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Powers Steps Combinators Parallel Choice PublishedRows.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** ** All orders of a list, each as often as it comes about *)
Fixpoint places {A} (a : A) (l : list A) : list (list A) :=
  match l with [] => [[a]] | b :: k => (a :: l) :: map (cons b) (places a k) end.
Fixpoint orders {A} (l : list A) : list (list A) := match l with [] => [[]] | a :: l => flat_map (places a) (orders l) end.

Lemma flat_map_places_cons A (a c : A) L :
  Permutation (flat_map (places a) (map (cons c) L)) (map (fun t => a :: c :: t) L ++ map (cons c) (flat_map (places a) L)).
Proof.
  induction L as [|t L IH]; simpl; [constructor|]. constructor. rewrite IH, map_app, !app_assoc.
  apply Permutation_app_tail, Permutation_app_comm.
Qed.

Lemma places_swap A (a b : A) l : Permutation (flat_map (places a) (places b l)) (flat_map (places b) (places a l)).
Proof.
  induction l as [|c l IH]; [simpl; apply perm_swap|]. simpl. rewrite !flat_map_places_cons, !map_map.
  rewrite IH. set (X := map (fun t => a :: c :: t) (places b l)). set (Y := map (fun t => b :: c :: t) (places a l)).
  change (map (fun x => b :: c :: x) (places a l)) with Y. change (map (fun x => a :: c :: x) (places b l)) with X.
  set (Z := map (cons c) _). rewrite !app_assoc. etransitivity; [apply perm_swap|]. do 2 constructor.
  apply Permutation_app_tail, Permutation_app_comm.
Qed.

Lemma orders_permuted A (x y : list A) : Permutation x y -> Permutation (orders x) (orders y).
Proof.
  induction 1 as [|a x y _ IH|a b x|x y z _ IH1 _ IH2]; simpl; [auto | now apply Permutation_flat_map | | now transitivity (orders y)].
  induction (orders x) as [|s L IH]; simpl; [auto|]. rewrite !flat_map_app. now apply Permutation_app; [apply places_swap|].
Qed.

Lemma places_some A (a : A) l : places a l <> []. Proof. destruct l; discriminate. Qed.
Lemma orders_some A (l : list A) : orders l <> [].
Proof.
  induction l as [|a l IH]; simpl; [discriminate|]. destruct (orders l) as [|s L]; [contradiction|]. simpl.
  pose proof (places_some a s). destruct (places a s); [contradiction | discriminate].
Qed.

(** ** Each of them as likely *)
Definition evenly {C} (cs : list C) (some : cs <> []) : dist C := pick (fun _ => 1) (fun _ => Rlt_0_1) some.
Definition shuffled {A} (l : list A) : dist (list A) := evenly (@orders_some A l).


Lemma shuffled_same A (x y : list A) : Permutation x y -> same (shuffled x) (shuffled y).
Proof.
  intros H f _. unfold shuffled, evenly. rewrite !pick_expect. apply orders_permuted in H.
  now rewrite (sum_perm _ H), (sum_perm _ H).
Qed.

Lemma sum_related C D (S : C -> D -> Prop) (g : C -> R) (h : D -> R) cs ds : Forall2 S cs ds ->
  (forall c d, S c d -> g c <= h d) -> sum g cs <= sum h ds.
Proof. intros F H. induction F as [|c d cs ds Hc _ IH]; simpl; [lra|]. specialize (H _ _ Hc). lra. Qed.

Lemma as_many C D (S : C -> D -> Prop) cs ds : Forall2 S cs ds -> sum (fun _ => 1) cs = sum (fun _ => 1) ds.
Proof. intros F. induction F as [|c d cs ds _ _ IH]; simpl; [reflexivity | now rewrite IH]. Qed.

(** Choices made alike, of what loses at most so much wherever they fall. *)
Lemma evenly_close C D A (S : C -> D -> Prop) (P : C -> dist A) (Q : D -> dist A) l cs ds (Nc : cs <> []) (Nd : ds <> []) :
  Forall2 S cs ds -> (forall c d, S c d -> pure (P c) (Q d) l) -> pure (bind (evenly Nc) P) (bind (evenly Nd) Q) l.
Proof.
  intros F H f T. simpl bind. unfold evenly. cbn [expect bind]. rewrite !pick_expect.
  rewrite (as_many F). assert (Pos : 0 < sum (fun _ : D => 1) ds) by (apply sum_weights_pos; auto using Rlt_0_1).
  apply Rinv_0_lt_compat in Pos.
  assert (L : sum (fun c => 1 * P c f) cs <= exp l * sum (fun d => 1 * Q d f) ds).
  { rewrite <- sum_scale. apply (sum_related _ _ F). intros c d Scd. specialize (H c d Scd f T). lra. }
  rewrite Rplus_0_r. set (u := sum (fun c => 1 * P c f) cs) in *. set (v := sum (fun d => 1 * Q d f) ds) in *. nra.
Qed.

(** ** Reports of rows that differ in one place *)
Definition one_off {T} (a b : T) (s t : list T) := exists u v, s = (u ++ a :: v)%list /\ t = (u ++ b :: v)%list.

Lemma one_off_cons T (a b c : T) s t : one_off a b s t -> one_off a b (c :: s) (c :: t).
Proof. intros (u & v & -> & ->). now exists (c :: u), v. Qed.

Lemma places_one_off T (a b : T) l : Forall2 (one_off a b) (places a l) (places b l).
Proof.
  induction l as [|c l IH]; simpl; constructor; auto.
  - now exists [], [].
  - now exists [], (c :: l).
  - clear -IH. induction IH; simpl; constructor; auto using one_off_cons.
Qed.

Lemma orders_one_off T (a b : T) l : Forall2 (one_off a b) (orders (a :: l)) (orders (b :: l)).
Proof. simpl. induction (orders l) as [|s L IH]; simpl; [constructor | apply Forall2_app; [apply places_one_off | exact IH]]. Qed.

Section Locally.
Variables (T A : Type) (M : T -> dist A).

(** Each row randomised alone. *)
Definition reports (x : list T) : dist (list A) := bind (shuffled x) (each M).

Lemma each_one_off a b l s t : pure (M a) (M b) l -> one_off a b s t -> pure (each M s) (each M t) l.
Proof.
  intros H (u & v & -> & ->). induction u as [|c u IH]; simpl.
  - apply (div_post (ms := pure)), H.
  - apply (div_inner (ms := pure)). intros r. apply (div_post (ms := pure)), IH.
Qed.

Lemma reports_same x y : Permutation x y -> same (reports x) (reports y).
Proof. intros H. apply same_bind; [now apply shuffled_same | auto]. Qed.

Lemma change_one_0 (x y : list T) : change_one 0 x y -> Permutation x y.
Proof.
  intros (l & r & (c & H & K) & E & F). apply (INR_le _ 0) in F. destruct l, r; simpl in E, F; try lia.
  rewrite app_nil_r in H, K. now rewrite H.
Qed.

Lemma reports_close l x y : 0 <= l -> (forall a b, pure (M a) (M b) l) -> change_one 1 x y -> pure (reports x) (reports y) l.
Proof.
  intros L H (s & t & (c & X & Y) & E & F). apply (INR_le _ 1) in F. destruct s as [|a [|]], t as [|b [|]]; simpl in E, F; try lia.
  - rewrite app_nil_r in X, Y. apply div_le with (zero : R); [exact L|]. apply div_same, reports_same. now rewrite X.
  - apply div_resp with (reports (a :: c)) (reports (b :: c)).
    1, 2: apply same_sym, reports_same; rewrite ?X, ?Y; symmetry; apply Permutation_cons_append.
    unfold reports, shuffled. apply evenly_close with (S := one_off a b); [apply orders_one_off|].
    intros. now apply each_one_off with a b.
Qed.

(** [d loss(1)]. *)
Theorem locally_pure loss : 0 <= loss 1 -> private discrete pure M loss ->
  private change_one pure reports (fun d => d * loss 1).
Proof.
  intros L H. assert (Order : respects change_one reports) by (intros x y D; now apply reports_same, change_one_0).
  refine (lift (ms := pure) (M := reports) (l := loss 1) (@whole_change_one T) Order L _).
  intros x y. apply reports_close; [exact L|]. intros a b. apply (H 1). split; [lra | right; lra].
Qed.
End Locally.

(** ** A bit for each answer *)
Definition coin (p : R) : dist bool :=
  match Rle_dec 0 p, Rle_dec p 1 with left A, left B => mix (conj A B) (ret true) (ret false) | _, _ => ret false end.

Lemma coin_expect p f : 0 <= p <= 1 -> coin p f = p * f true + (1 - p) * f false.
Proof. intros [A B]. unfold coin. destruct (Rle_dec 0 p); [|contradiction]. destruct (Rle_dec p 1); [reflexivity | contradiction]. Qed.

Lemma coin_close p q r : 0 <= p <= 1 -> 0 <= q <= 1 -> 0 < r -> p <= r * q -> 1 - p <= r * (1 - q) -> pure (coin p) (coin q) (ln r).
Proof.
  intros P Q R0 H K f F. rewrite !coin_expect, exp_ln, Rplus_0_r by assumption.
  destruct (F true) as [T _], (F false) as [U _]. nra.
Qed.

Section Unary.
Variables (C : Type) (eqC : forall a b : C, {a = b} + {a <> b}) (answers : list C) (p q : R).
Hypothesis distinct : NoDup answers.
Hypothesis rather_true : 0 < q <= p /\ p < 1.

Definition bits (x : C) : dist (list bool) := each (fun a => coin (if eqC a x then p else q)) answers.

Theorem unary_encoding : private discrete pure bits (fun d => Rmin d 1 * ln (p * (1 - q) / (q * (1 - p)))).
Proof.
  intros d x y [Hd E]. destruct rather_true as [[Q0 QP] P1].
  assert (c1 : 1 <= p / q) by (apply Rmult_le_reg_r with q; [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  assert (c2 : 1 <= (1 - q) / (1 - p)) by (apply Rmult_le_reg_r with (1 - p); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  assert (S : ln (p * (1 - q) / (q * (1 - p))) = ln (p / q) + ln ((1 - q) / (1 - p))).
  { rewrite <- ln_mult by lra. f_equal. field; lra. }
  assert (L1 : 0 <= ln (p / q)) by (rewrite <- ln_1; apply ln_le; lra).
  assert (L2 : 0 <= ln ((1 - q) / (1 - p))) by (rewrite <- ln_1; apply ln_le; lra).
  destruct (eqC x y) as [->|N].
  { apply div_le with (zero : R); [apply Rmult_le_pos; [apply Rmin_glb; lra | rewrite S; lra] | now apply div_same]. }
  destruct E as [->|E]; [contradiction|]. rewrite Rmin_right, Rmult_1_l, S by lra.
  change (pure (bits x) (bits y) (LossOrder.plus (ln (p / q)) (ln ((1 - q) / (1 - p))))).
  apply (each_two (ms := pure) eqC) with x y; auto.
  - intros k _ Nx Ny. destruct (eqC k x), (eqC k y); congruence || auto.
  - destruct (eqC x x); [|contradiction]. destruct (eqC x y); [contradiction|].
    apply coin_close; try lra.
    + right. field; lra.
    + assert (1 - p <= 1 - q) by lra. nra.
  - destruct (eqC y x); [congruence|]. destruct (eqC y y); [|contradiction]. apply coin_close; try lra.
    + nra.
    + right. field; lra.
Qed.
End Unary.

(** ** One bit about the answer: which one, has nothing to do with it *)
Section Hadamard.
Variables (C J : Type) (eqC : forall a b : C, {a = b} + {a <> b}) (js : list J) (some : js <> []) (said : J -> C -> bool) (p : R).
Hypothesis rather_true : / 2 <= p < 1.

Definition told (x : C) : dist (J * bool) := bind (evenly some) (fun j => bind (coin p) (fun true_ => ret (j, eqb (said j x) true_))).

Theorem hadamard_response : private discrete pure told (fun d => Rmin d 1 * ln (p / (1 - p))).
Proof.
  intros d x y [Hd E].
  assert (c : 1 <= p / (1 - p)) by (apply Rmult_le_reg_r with (1 - p); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  assert (L : 0 <= ln (p / (1 - p))) by (rewrite <- ln_1; apply ln_le; lra).
  destruct (eqC x y) as [->|N].
  { apply div_le with (zero : R); [apply Rmult_le_pos; [apply Rmin_glb; lra | exact L] | now apply div_same]. }
  destruct E as [->|E]; [contradiction|]. rewrite Rmin_right, Rmult_1_l by lra.
  unfold told. apply (div_inner (ms := pure)). intros j f F. cbn [bind expect].
  change ((coin p) (fun a => f (j, eqb (said j x) a)) <= exp (ln (p / (1 - p))) * (coin p) (fun a => f (j, eqb (said j y) a)) + 0).
  assert (P : 0 <= p <= 1) by lra. rewrite !(coin_expect _ P), exp_ln, Rplus_0_r by lra.
  assert (V : p = p / (1 - p) * (1 - p)) by (field; lra). set (r := p / (1 - p)) in *. clearbody r.
  destruct (F (j, true)) as [T _], (F (j, false)) as [U _].
  assert (Same : forall t u, 0 <= t -> 0 <= u -> p * t + (1 - p) * u <= r * (p * t + (1 - p) * u)).
  { intros t u Ht Hu. assert (0 <= p * t) by (apply Rmult_le_pos; lra). assert (0 <= (1 - p) * u) by (apply Rmult_le_pos; lra).
    set (m := p * t + (1 - p) * u) in *. assert (0 <= (r - 1) * m) by (apply Rmult_le_pos; unfold m; lra). lra. }
  assert (Other : forall t u, 0 <= t -> 0 <= u -> p * t + (1 - p) * u <= r * (p * u + (1 - p) * t)).
  { intros t u Ht Hu. replace (p * t) with (r * (1 - p) * t) by (now rewrite <- V).
    assert (1 - p <= r * p) by (assert (0 <= (r - 1) * p) by (apply Rmult_le_pos; lra); lra).
    assert ((1 - p) * u <= r * p * u) by now apply Rmult_le_compat_r. lra. }
  destruct (said j x), (said j y); simpl; auto.
Qed.
End Hadamard.
