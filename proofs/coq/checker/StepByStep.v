(** * Group privacy of curves: one step after another

    A trade-off curve is asked again at each step, where the step before it led; a Renyi curve at one order for each step. The
    arguments are in [GroupCurves] of the theory. *)
From Coq Require Import ZArith QArith Qround Qreals Reals Lra Lia List Bool.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Renyi GroupCurves.
From DPchecker Require Import Json Language Meaning Numbers Losses Rounding Points LongSums Together.
Import ListNotations.
Set Implicit Arguments.

(** No more are followed. *)
Definition most_steps : Z := 1000.
Definition steps_in (d : Q) : option nat :=
  let n := Qfloor d in if (Z.leb 0 n && Z.leb n most_steps)%bool then Some (Z.to_nat n) else None.
Definition of_nat (n : nat) : Q := inject_Z (Z.of_nat n).
Definition at_each (f : Q -> loss -> Q) (xs : list Q) (ls : list loss) : list Q := map (fun p => f (fst p) (snd p)) (combine xs ls).

Section Asking.
Variables (md : mode) (ask : list Q -> option (list loss)).

(** From a false-positive rate to the most that a test of that rate can detect. Long numbers alone are reduced, which takes time. *)
Definition trimmed (q : Q) : Q := if Z.leb (Z.log2 (Zpos (Qden q))) 1024 then q else Qred q.
Definition detected (x : Q) (l : loss) : Q := let y := trimmed (plus x (fst l)) in if Qle_bool 1 y then 1 else y.
Fixpoint walked (n : nat) (xs : list Q) : option (list Q) :=
  match n with O => Some xs | S n => let* ys := walked n xs in let* ls := ask ys in Some (at_each detected ys ls) end.
Definition gain (x y : Q) : loss := (Qmax0 (minus y x), 0%Q).

(** The order of step [i], and its share in the whole. *)
Definition order_of (n i : nat) (x : Q) : Q := Qred (of_nat n * (x - 1) + of_nat i).
Definition share (n i : nat) (x : Q) (l : loss) : loss := (Qred (Qmax0 (of_nat n * x / order_of n i x) * fst l), 0%Q).
Definition shares (n : nat) (xs : list Q) (i : nat) : option (list loss) :=
  let* ls := ask (map (order_of n i) xs) in Some (map (fun p => share n i (fst p) (snd p)) (combine xs ls)).

Definition step_by_step (m : measure) (n : nat) (xs : list Q) : option (list loss) :=
  match m with
  | MTradeoff => let* ys := walked n xs in Some (map (fun p => gain (fst p) (snd p)) (combine xs ys))
  | MRenyi => let* rows := all_of (shares n xs) (seq 1 n) in Some (together md (columns xs rows))
  | _ => None
  end.
End Asking.

Open Scope R_scope.

Lemma steps_in_ok d n : steps_in d = Some n -> INR n <= Q2R d < INR n + 1.
Proof.
  unfold steps_in. destruct (Z.leb 0 (Qfloor d)) eqn:Z0; [|discriminate]. destruct (Z.leb _ most_steps); [|discriminate].
  intros H; injection H as <-. apply Z.leb_le in Z0. rewrite INR_IZR_INZ, Z2Nat.id by exact Z0.
  pose proof (Qle_Rle _ _ (Qfloor_le d)) as L. pose proof (Qlt_Rlt _ _ (Qlt_floor d)) as G.
  unfold inject_Z in L, G. unfold Q2R at 1 in L. unfold Q2R at 2 in G. cbn [Qnum Qden] in L, G. rewrite plus_IZR in G. lra.
Qed.
Lemma of_nat_R n : Q2R (of_nat n) = INR n.
Proof. unfold of_nat, inject_Z, Q2R. cbn [Qnum Qden]. rewrite INR_IZR_INZ. lra. Qed.

Lemma trimmed_R q : Q2R (trimmed q) = Q2R q.
Proof. unfold trimmed. destruct (Z.leb _ _); [reflexivity | apply Q2R_red]. Qed.

Section Sound.
Variables (X A : Type) (mt : Metrics.metric X) (M : X -> dist A) (md : mode) (ask : list Q -> option (list loss)) (m : measure).
Hypothesis order : respects mt M.
Hypothesis answers : forall ys ls, ask ys = Some ls -> Forall nonneg_loss ls /\ length ys = length ls /\
  forall u v, mt 1 u v -> Forall2 (fun y l => meets m (Q2R y) (M u) (M v) (real m l)) ys ls.

Lemma answers_at ys ls : ask ys = Some ls ->
  Forall2 (fun y l => nonneg_loss l /\ forall u v, mt 1 u v -> meets m (Q2R y) (M u) (M v) (real m l)) ys ls.
Proof.
  intros H. destruct (answers H) as (N & L & P). apply Forall2_and.
  - apply Forall2_of_Forall; [exact L|]. revert N; apply Forall_impl; auto.
  - pose proof (Forall2_all (fun uv : X * X => mt 1 (fst uv) (snd uv))
      (fun uv y l => meets m (Q2R y) (M (fst uv)) (M (snd uv)) (real m l)) L (fun uv S => P _ _ S)) as G.
    apply Forall2_weaken with (2 := G). intros y l K u v S. exact (K (u, v) S).
Qed.

(** ** Trade-off curves *)
Definition leads (a b : X) (x y : Q) : Prop := forall f, test f -> M a f <= Q2R x -> M b f <= Q2R y.

Lemma walked_ok n xs ys a : m = MTradeoff -> walked ask n xs = Some ys ->
  length xs = length ys /\ forall b, reach mt n a b -> Forall2 (leads a b) xs ys.
Proof.
  intros E. revert ys. induction n as [|n IH]; intros ys H; simpl in H; unfold bind_option in H.
  - injection H as <-. split; [reflexivity|]. intros b Rn. simpl in Rn. induction xs as [|x xs IHx]; constructor; [|exact IHx].
    intros f F T. rewrite <- (order a b Rn) by auto with bounded. exact T.
  - destruct (walked ask n xs) as [zs|]; [|discriminate]. destruct (ask zs) as [ls|] eqn:K; [|discriminate]. injection H as <-.
    destruct (IH zs eq_refl) as [L W]. apply answers_at in K. split.
    + unfold at_each. rewrite map_length, combine_length, <- (Forall2_lengths K), L. lia.
    + intros b (c & Rn & S). apply W in Rn. clear W IH L. subst m. revert zs ls K Rn. induction xs as [|x xs IHx]; intros zs ls K Rn; inversion Rn; subst; [constructor|].
      inversion K as [|? l ? ls' [_ K1] K2]; subst. constructor; [|now apply IHx].
      intros f F T. cbn [fst snd]. pose proof (expect_test (M b) F) as B. unfold detected. destruct (Qle_bool 1 _); [rewrite Q2R_1; lra|].
      rewrite trimmed_R, plus_ok. exact (K1 c b S f F (H1 f F T)).
Qed.

(** ** Renyi curves *)
Lemma chosen (R' : nat -> loss -> Prop) (g : nat -> loss -> loss) k n col : Forall2 (fun i c => exists l, c = g i l /\ R' i l) (seq k n) col ->
  exists e, col = map (fun i => g i (e i)) (seq k n) /\ forall i, (k <= i < k + n)%nat -> R' i (e i).
Proof.
  revert k col. induction n as [|n IH]; intros k col H; inversion H as [|? c ? col' (l & -> & Rl) H']; subst.
  - exists (fun _ => zero_loss). split; [reflexivity | intros; lia].
  - destruct (IH _ _ H') as (e & -> & Re). exists (fun i => if Nat.eqb i k then l else e i). split.
    + simpl. rewrite Nat.eqb_refl. f_equal. apply map_ext_in. intros i I. apply in_seq in I. destruct (Nat.eqb i k) eqn:E; [apply Nat.eqb_eq in E; lia | reflexivity].
    + intros i I. destruct (Nat.eqb i k) eqn:E; [apply Nat.eqb_eq in E; now subst | apply Nat.eqb_neq in E; apply Re; lia].
Qed.

Lemma sum_R_app l k : sum_R (l ++ k) = sum_R l + sum_R k.
Proof. unfold sum_R. induction l as [|a l IH]; simpl; [lra | rewrite IH; lra]. Qed.

Lemma order_of_R n i x : Q2R (order_of n i x) = INR n * (Q2R x - 1) + INR i.
Proof. unfold order_of. rewrite Q2R_red, Q2R_plus, Q2R_mult, Q2R_minus, !of_nat_R, Q2R_1. reflexivity. Qed.
Lemma share_nonneg n i x l : nonneg_loss l -> nonneg_loss (share n i x l).
Proof.
  intros [N _]. apply nonneg_figure. rewrite Q2R_red, Q2R_mult. unfold Qmax0. rewrite Q2R_max, Q2R_0. apply Rmult_le_pos; [apply Rmax_l | exact N].
Qed.

Lemma shares_sum n x (e : nat -> loss) k : 1 < Q2R x -> (k <= n)%nat ->
  sum_R (map fst (map (fun i => share n i x (e i)) (seq 1 k))) =
  INR n * Q2R x * weighted (INR n * (Q2R x - 1)) (fun i => Q2R (fst (e i))) k.
Proof.
  intros Hx. induction k as [|k IH]; intros K; [simpl; ring|]. rewrite seq_S, !map_app, sum_R_app.
  eapply eq_trans; [apply (f_equal2 Rplus (IH ltac:(lia)) eq_refl)|].
  replace (1 + k)%nat with (S k) by lia. cbn [map sum_R fold_right weighted]. unfold share at 1. cbn [fst].
  assert (N : 1 <= INR n) by (apply (le_INR 1); lia). assert (I : 1 <= INR (S k)) by (apply (le_INR 1); lia).
  assert (P : 0 < INR n * (Q2R x - 1) + INR (S k)) by nra.
  pose proof (order_of_R n (S k) x) as O. set (a := order_of n (S k) x) in *. set (s := INR (S k)) in *.
  rewrite Q2R_red, Q2R_mult. unfold Qmax0. rewrite Q2R_max, Q2R_0, Q2R_div by (apply Qnonzero_R; lra).
  rewrite Q2R_mult, of_nat_R, O, Rmax_right by (apply Rdiv_nonneg; nra). field. lra.
Qed.

Lemma shares_ok n xs rows a b : m = MRenyi -> all_of (shares ask n xs) (seq 1 n) = Some rows -> reach mt n a b ->
  Forall2 (fun x k => meets MRenyi (Q2R x) (M a) (M b) (real MRenyi k)) xs (together md (columns xs rows)).
Proof.
  intros E H Rn. apply all_of_ok in H.
  assert (F : Forall2 (fun i row => Forall2 (fun x c => exists l, c = share n i x l /\
    forall u v, mt 1 u v -> meets MRenyi (Q2R (order_of n i x)) (M u) (M v) (real MRenyi l)) xs row) (seq 1 n) rows).
  { apply Forall2_weaken with (2 := H). intros i row K. unfold shares, bind_option in K. destruct (ask _) as [ls|] eqn:Q'; [|discriminate].
    injection K as <-. apply answers_at in Q'. rewrite E in Q'. clear H. revert ls Q'. induction xs as [|x xs' IH]; intros ls Q'; simpl in Q'; inversion Q' as [|? l ? ls' [_ P] Q2]; subst; simpl; constructor; [|now apply IH].
    exists l. split; [reflexivity | exact P]. }
  apply (columns_ok (fun i x c => exists l, c = share n i x l /\
    forall u v, mt 1 u v -> meets MRenyi (Q2R (order_of n i x)) (M u) (M v) (real MRenyi l))) in F.
  apply Forall2_through with (2 := F) (3 := together_sums md (columns xs rows)). clear F H. intros x col k G [S _].
  apply (@chosen (fun i l => forall u v, mt 1 u v -> meets MRenyi (Q2R (order_of n i x)) (M u) (M v) (real MRenyi l)) (fun i l => share n i x l)) in G.
  destruct G as (e & -> & P). intros Hx. rewrite (@shares_sum n x e n Hx (le_n n)) in S.
  apply at_most_le with (1 := Hx) (2 := S). apply reach_renyi with (1 := order) (2 := Hx) (3 := Rn).
  intros i I u v St. specialize (P i ltac:(lia) u v St). cbn [meets real] in P. rewrite order_of_R in P. apply P.
  assert (1 <= INR i) by (apply (le_INR 1); lia). assert (1 <= INR n) by (apply (le_INR 1); lia). nra.
Qed.

(** ** Both *)
Lemma combined_lengths B C D (g : B * C -> D) l k : length l = length k -> length l = length (map g (combine l k)).
Proof. intros E. rewrite map_length, combine_length, <- E. lia. Qed.

Theorem step_by_step_ok n xs ls : step_by_step md ask m n xs = Some ls -> Forall nonneg_loss ls /\ length xs = length ls /\
  forall a b, reach mt n a b -> Forall2 (fun x k => meets m (Q2R x) (M a) (M b) (real m k)) xs ls.
Proof.
  intros H. assert (C : m = MRenyi \/ m = MTradeoff \/ step_by_step md ask m n xs = None) by (clear; destruct m; auto).
  destruct C as [E|[E|E]]; [| |congruence]; unfold step_by_step, bind_option in H; rewrite E in H.
  - destruct (all_of _ _) as [rows|] eqn:R; [|discriminate]. injection H as <-. split; [|split].
    + assert (N : Forall (Forall nonneg_loss) rows).
      { apply all_of_ok in R. apply Forall2_Forall_r with (2 := R). intros i row K. unfold shares, bind_option in K.
        destruct (ask _) as [ls|] eqn:Q'; [|discriminate]. injection K as <-. destruct (answers Q') as [N _].
        apply Forall_map, Forall_forall. intros [x l] J. apply share_nonneg. apply in_combine_r in J. rewrite Forall_forall in N. now apply N. }
      pose proof (columns_nonneg xs N) as C. pose proof (together_sums md (columns xs rows)) as S. revert C.
      induction S as [|col l cols ls K S IH]; intros C; inversion C; subst; constructor; [now apply at_least_sum_nonneg with col | now apply IH].
    + now rewrite <- (Forall2_lengths (together_sums md _)), columns_length.
    + intros a b Rn. rewrite E. exact (@shares_ok n xs rows a b E R Rn).
  - destruct (walked ask n xs) as [ys|] eqn:W; [|discriminate]. injection H as <-. split; [|split].
    + apply Forall_map, Forall_forall. intros [x y] _. apply nonneg_figure. unfold Qmax0. rewrite Q2R_max, Q2R_0. apply Rmax_l.
    + destruct xs as [|x0 xs0] eqn:Ex; [reflexivity|]. rewrite <- Ex in *. clear x0 xs0 Ex. apply combined_lengths.
      revert ys W. induction n as [|n IH]; intros ys W; simpl in W; unfold bind_option in W; [now injection W as <-|].
      destruct (walked ask n xs) as [zs|]; [|discriminate]. destruct (ask zs) as [ls|] eqn:K; [|discriminate]. injection W as <-.
      destruct (answers K) as (_ & L & _). rewrite (IH zs eq_refl). unfold at_each. now apply combined_lengths.
    + intros a b Rn. destruct (walked_ok n xs a E W) as [_ G]. specialize (G b Rn). rewrite E. clear W Rn E.
      induction G as [|x y xs' ys' L _ IH]; simpl; constructor; [|exact IH]. intros f F T. cbn [real gain fst snd].
      specialize (L f F T). unfold Qmax0. rewrite Q2R_max, Q2R_0, minus_ok. pose proof (Rmax_r 0 (Q2R y - Q2R x)). lra.
Qed.
End Sound.
